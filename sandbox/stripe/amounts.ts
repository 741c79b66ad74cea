/** Minimum and maximum amounts of a charge, in minor units. */
import { invalidRequest } from '../server/errors.ts';

/** Smallest charge per settlement currency, in minor units. */
const AMOUNT_MIN: Record<string, number> = {
  aed: 200,
  aud: 50,
  bgn: 100,
  brl: 50,
  cad: 50,
  chf: 50,
  czk: 1500,
  dkk: 250,
  eur: 50,
  gbp: 30,
  hkd: 400,
  huf: 17500,
  inr: 50,
  jpy: 50,
  mxn: 1000,
  myr: 200,
  nok: 300,
  nzd: 50,
  pln: 200,
  ron: 200,
  sek: 300,
  sgd: 50,
  thb: 1000,
  usd: 50,
};
const AMOUNT_MAX = 99_999_999;

/** Throws Stripe's 400 for an amount outside the limits of this (lower-case) currency. */
export function checkAmount(amount: number, currency: string): void {
  const minimum = AMOUNT_MIN[currency];
  if (minimum === undefined) {
    const message = `Invalid currency: ${currency}. The sandbox supports: ${Object.keys(AMOUNT_MIN).join(', ')}`;
    throw invalidRequest(message, { param: 'currency' });
  }
  if (amount < 1) {
    const message = 'This value must be greater than or equal to 1.';
    throw invalidRequest(message, { code: 'parameter_invalid_integer', param: 'amount' });
  }
  if (amount < minimum) {
    const message = `Amount must be at least ${minimum} in minor units of ${currency}.`;
    throw invalidRequest(message, { code: 'amount_too_small', param: 'amount' });
  }
  if (amount > AMOUNT_MAX) {
    const message = `Amount must be no more than ${AMOUNT_MAX} in minor units.`;
    throw invalidRequest(message, { code: 'amount_too_large', param: 'amount' });
  }
}
