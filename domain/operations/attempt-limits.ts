import { type OperationKind, operationKindNames } from '#core/operations/operation';
import { secondMs } from '#core/time/time';
import { stripeCallMs } from '#platform/stripe';
import { bankCallMs } from '../payouts/bank.ts';

/** Most calls to providers that an attempt at an operation of a kind makes, one after the other. */
export const attemptCalls: Readonly<Record<OperationKind, { readonly stripe: number; readonly bank: number }>> = {
  authorization: { stripe: 0, bank: 0 },
  // The capture and a reading, which the last attempt repeats.
  capture: { stripe: 3, bank: 0 },
  // A reading, the disputes with the bank before they are booked, three times, and the refund; or two readings around the cancellation.
  void: { stripe: 5, bank: 3 },
  // The refunds there are before and after, and the refund.
  refund: { stripe: 3, bank: 2 },
  // The question about an earlier order, the order, and the question about it, which the last attempt repeats.
  payout: { stripe: 0, bank: 4 },
  // What the evidence needs, its file and its submission; before and after that the disputes with the bank, three times each.
  dispute_response: { stripe: 9, bank: 6 },
};

/** Time for our own database, in ms. */
const marginMs = 30 * secondMs;

/**
 * How long an operation of a kind is taken for (ms): longer than the time limits of all calls of an attempt, or another process would begin the
 * next one meanwhile. Operations of a process that died do not wait for it (platform/database/presence.ts).
 */
export function leaseMsOf(kind: OperationKind): number {
  const { stripe, bank } = attemptCalls[kind];
  return stripe * stripeCallMs + bank * bankCallMs + marginMs;
}

/** SQL: the lease of an operation of the kind in `column`. */
export const leaseSql = (column: string) =>
  `case ${column} ${operationKindNames.map((kind) => `when '${kind}' then interval '${leaseMsOf(kind)} ms'`).join(' ')} end`;
