/** Currencies a sender can pay in. */
export const sendCurrencies = ['USD', 'EUR'] as const;
export type SendCurrency = (typeof sendCurrencies)[number];

/** Every currency Chasqui keeps books in; BOB is what the family receives. */
export type Currency = SendCurrency | 'BOB';

/** All three currencies have two decimals (ISO 4217). */
const minorDigits = 2;

/** Upper bound of any amount we take in: 8 digits of minor units, Stripe's own maximum. */
export const maxMinor = 99_999_999n;

/**
 * Reads a plain decimal text ("100", "99.5", "99.50") into minor units.
 * Returns null for anything else: signs, exponents, thousands separators, more than two decimals.
 */
export function parseMinor(text: string): bigint | null {
  const match = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(text);
  if (!match) return null;
  return BigInt(match[1] + (match[2] ?? '').padEnd(minorDigits, '0'));
}

/** Minor units as the api sends them: decimal text with two decimals, "1291.40". */
export function formatMinor(minor: bigint): string {
  const sign = minor < 0n ? '-' : '';
  const digits = (minor < 0n ? -minor : minor).toString().padStart(minorDigits + 1, '0');
  return `${sign}${digits.slice(0, -minorDigits)}.${digits.slice(-minorDigits)}`;
}

export type Rounding = 'down' | 'up';

/** Integer division of non-negative numbers with the rounding named. @throws RangeError on negative or zero divisor. */
export function divide(numerator: bigint, divisor: bigint, rounding: Rounding): bigint {
  if (numerator < 0n || divisor <= 0n)
    throw new RangeError('divide takes a non-negative numerator and a positive divisor');
  const quotient = numerator / divisor;
  return rounding === 'up' && numerator % divisor !== 0n ? quotient + 1n : quotient;
}
