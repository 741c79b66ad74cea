import { divide } from '../money/money.ts';

// The rest: bolivianos of a completed payout that the bank returned. The family is still owed them until they are paid again, or until their
// share of the charge is back with the sender.

/** The exchange of a transfer, in minor units: what was left of the charge after the fee, and the bolivianos it bought. */
export interface Exchange {
  readonly netMinor: bigint;
  readonly bolivianosMinor: bigint;
}

/** What of a payout decides how much the family has, in centavos. */
export interface PaidFacts {
  readonly status: string;
  readonly amountMinor: bigint;
  readonly returnedMinor: bigint;
}

/** What the family has by these payouts, in centavos. */
export function paidBy(payouts: readonly PaidFacts[]): bigint {
  return payouts.reduce(
    (sum, one) => (one.status === 'succeeded' ? sum + one.amountMinor - one.returnedMinor : sum),
    0n,
  );
}

/** What the family is still owed, in centavos. `settledMinor`: the bolivianos whose share of the charge the sender has back. */
export function owedToFamily(
  { bolivianosMinor }: Pick<Exchange, 'bolivianosMinor'>,
  { settledMinor, payouts }: { readonly settledMinor: bigint; readonly payouts: readonly PaidFacts[] },
): bigint {
  const owed = bolivianosMinor - settledMinor - paidBy(payouts);
  return owed > 0n ? owed : 0n;
}

/**
 * The share of the charge that buys some of the bolivianos, in minor units of the charge: at the rate of the transfer itself, rounded up in
 * favour of the sender. The fee is no part of it, because the family keeps what was delivered. A fee goes back where a report finds an error
 * (12 CFR 1005.33(c)), or with the whole charge where the family keeps nothing.
 */
export function shareOf({ netMinor, bolivianosMinor }: Exchange, partMinor: bigint): bigint {
  return partMinor === 0n ? 0n : divide(partMinor * netMinor, bolivianosMinor, 'up');
}

/**
 * The share of some bolivianos after those of `settledMinor` went back. Taken from the sum of all parts, so that shares never add up to more
 * than the exchanged amount, and the sender never has less than the exact share of all parts together.
 */
export function nextShare(exchange: Exchange, settledMinor: bigint, partMinor: bigint): bigint {
  return shareOf(exchange, settledMinor + partMinor) - shareOf(exchange, settledMinor);
}
