import { divide } from '../money/money.ts';

// The rest: bolivianos of a completed payout that the bank returned. They are owed to the family until they are paid
// again or their share of the charge is refunded to the sender.

/** The exchange of a transfer, in minor units: the charge minus the fee, and the bolivianos it bought. */
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

/** The amount that the family has from these payouts, in centavos. */
export function paidBy(payouts: readonly PaidFacts[]): bigint {
  return payouts.reduce(
    (sum, one) => (one.status === 'succeeded' ? sum + one.amountMinor - one.returnedMinor : sum),
    0n,
  );
}

/**
 * The debt to the family, in centavos. `settledMinor`: the bolivianos whose share of the charge was refunded to the
 * sender.
 */
export function owedToFamily(
  { bolivianosMinor }: Pick<Exchange, 'bolivianosMinor'>,
  { settledMinor, payouts }: { readonly settledMinor: bigint; readonly payouts: readonly PaidFacts[] },
): bigint {
  const owed = bolivianosMinor - settledMinor - paidBy(payouts);
  return owed > 0n ? owed : 0n;
}

/**
 * The share of the charge for part of the bolivianos, in minor units of the charge: at the transfer's own rate, rounded
 * up in favour of the sender. It excludes the fee, because the family keeps what was delivered. The fee is refunded if
 * a report finds an error (12 CFR 1005.33(c)), or with the whole charge if the family keeps nothing.
 */
export function shareOf({ netMinor, bolivianosMinor }: Exchange, partMinor: bigint): bigint {
  return partMinor === 0n ? 0n : divide(partMinor * netMinor, bolivianosMinor, 'up');
}

/**
 * The share of `partMinor` bolivianos after `settledMinor` were refunded. Computed from the cumulative sum, so that
 * shares never add up to more than the exchanged amount, and the sender never gets less than the exact share of all
 * parts together.
 */
export function nextShare(exchange: Exchange, settledMinor: bigint, partMinor: bigint): bigint {
  return shareOf(exchange, settledMinor + partMinor) - shareOf(exchange, settledMinor);
}
