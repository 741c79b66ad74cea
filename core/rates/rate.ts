import { divide, type Rounding } from '../money/money.ts';

/** Decimals an exchange rate is kept with; admins enter two, derived rates need more. */
export const rateDigits = 6;
const rateScale = 10n ** BigInt(rateDigits);

/** An exact exchange rate: millionths of the target currency for one unit of the source currency. */
export type Rate = bigint & { readonly __unit: 'millionths' };

/** Sanity bound: no rate of this corridor is above it. Catches typos of two digits. */
export const maxRate = (1000n * rateScale) as Rate;

/**
 * EUR/USD until the first one is read (product specification, section 9). For estimates and quotes only, never for
 * payments.
 */
export const fallbackEurUsd = 1_100_000n as Rate;

/** Reads a positive decimal text ("11.60") with at most six decimals. Returns null for anything else, zero included. */
export function parseRate(text: string): Rate | null {
  const match = /^(\d{1,6})(?:\.(\d{1,6}))?$/.exec(text);
  if (!match) return null;
  const rate = BigInt(match[1] + (match[2] ?? '').padEnd(rateDigits, '0'));
  return rate > 0n && rate <= maxRate ? (rate as Rate) : null;
}

/** Wire form of a rate: at least two decimals, no trailing zeros beyond them ("11.60", "12.765432"). */
export function formatRate(rate: Rate): string {
  const digits = rate.toString().padStart(rateDigits + 1, '0');
  const fraction = digits.slice(-rateDigits).replace(/0+$/, '').padEnd(2, '0');
  return `${digits.slice(0, -rateDigits)}.${fraction}`;
}

/** Rounds a rate to `decimals` for display only; never compute money from the result. */
export function roundRate(rate: string, decimals: number): string {
  const exact = parseRate(rate);
  if (exact === null || decimals >= rateDigits) return rate;
  const unit = 10n ** BigInt(rateDigits - decimals);
  const whole = (exact + unit / 2n) / unit;
  const digits = whole.toString().padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Converts minor units at a rate (both currencies have two decimals, so the scale cancels out). */
export function convert(minor: bigint, rate: Rate, rounding: Rounding): bigint {
  return divide(minor * rate, rateScale, rounding);
}

/** Converts minor units back through a rate: how much of the source currency buys `minor` of the target. */
export function convertBack(minor: bigint, rate: Rate, rounding: Rounding): bigint {
  return divide(minor * rateScale, rate, rounding);
}

/** Chains two rates (EUR/USD x USD/BOB = EUR/BOB), rounded down so that no one is promised more than exact. */
export function chain(first: Rate, second: Rate): Rate {
  return divide(first * second, rateScale, 'down') as Rate;
}

/** What one unit of the first currency is worth in the second, from the worth of both in a third; rounded down. */
export function ratio(first: Rate, second: Rate): Rate {
  return divide(first * rateScale, second, 'down') as Rate;
}
