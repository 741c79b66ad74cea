import { formatMinor } from './money.ts';

/** How a percentage with one decimal is rounded: to the nearest tenth (halves away from zero), or towards zero. */
export type PercentRounding = 'nearest' | 'towards_zero';

/**
 * The change from one positive amount to another in percent, exact, with one decimal: "12.5", "-0.3", "0.0".
 * @throws RangeError (of the division) when `from` is zero.
 */
export function percentChange(from: bigint, to: bigint, rounding: PercentRounding): string {
  const size = to < from ? from - to : to - from;
  const tenths = rounding === 'nearest' ? (size * 2000n + from) / (from * 2n) : (size * 1000n) / from;
  return `${to < from && tenths > 0n ? '-' : ''}${tenths / 10n}.${tenths % 10n}`;
}

/** Basis points as percent with two decimals: "3.50". A basis point is a hundredth of a percent, as a cent is of a unit. */
export function formatBasisPoints(basisPoints: bigint): string {
  return formatMinor(basisPoints);
}
