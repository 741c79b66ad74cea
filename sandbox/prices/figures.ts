/**
 * Exact money arithmetic of the price sites. It does not use the product's, whose mistakes would then not be noticed.
 * Amounts are minor units (two decimals), rates are millionths.
 */
export type Rate = bigint;
export type SendCurrency = 'USD' | 'EUR';

const RATE_SCALE = 1_000_000n;

function decimals(value: bigint, digits: number): string {
  const text = value.toString().padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** "100", "99.5" or "99.50" in minor units; null for anything else, zero included. */
export function parseMinor(text: string): bigint | null {
  const match = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text);
  const minor = match && BigInt(`${match[1]}${(match[2] ?? '').padEnd(2, '0')}`);
  return minor || null;
}

export function formatMinor(minor: bigint): string {
  return decimals(minor, 2);
}

/** At least two decimals: "11.60", "12.765432". */
export function formatRate(rate: Rate): string {
  return decimals(rate, 6).replace(/0{1,4}$/, '');
}

/** The product of two rates (euro to dollar, dollar to boliviano), rounded down to millionths. */
export function chain(first: Rate, second: Rate): Rate {
  return (first * second) / RATE_SCALE;
}

/** An amount at a rate, rounded down to minor units. */
export function convert(minor: bigint, rate: Rate): bigint {
  return (minor * rate) / RATE_SCALE;
}

/** A share of a rate in basis points (9,700 is 3 % less), rounded down to `digits` decimals. */
export function share(rate: Rate, basisPoints: number, digits = 4): Rate {
  const unit = 10n ** BigInt(6 - digits);
  return ((rate * BigInt(basisPoints)) / 10_000n / unit) * unit;
}
