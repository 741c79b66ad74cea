import type { HoldFacts } from '../holds/holds.ts';
import { type Exchange, nextShare, owedToFamily, paidBy, shareOf } from '../transfers/rest.ts';
import { isCertainlyUndone, type OperationKind, type OperationStatus, openStatuses } from './operation.ts';

/** Operation fields that determine the rest; amounts in minor units. */
interface RestOperation {
  readonly kind: OperationKind;
  readonly status: OperationStatus;
  readonly sent: boolean;
  readonly amountMinor: bigint;
  readonly returnedMinor: bigint;
  readonly restRequestId: string | null;
  readonly restMinor: bigint | null;
}

/** Fields of a completed transfer that determine how returned payouts can be settled (core/transfers/rest.ts). */
export interface RestFacts extends Exchange {
  /** The charged amount, in minor units of its currency. */
  readonly amountMinor: bigint;
  readonly keptMinor: bigint;
  readonly holds: Pick<HoldFacts, 'disputes'>;
  readonly operations: readonly RestOperation[];
}

/** The rest and its possible settlements. */
interface Rest {
  /** The debt to the family, in centavos. */
  readonly owedMinor: bigint;
  /** The family kept nothing, so the whole charge is refunded with the rest. */
  readonly keepsNothing: boolean;
  /** The refund for it: its share, limited to what is left of the charge, in minor units of the charge. */
  readonly refundMinor: bigint;
  /** The part of the charge that was neither refunded nor lost in a dispute, in minor units of the charge. */
  readonly leftMinor: bigint;
  /** Whether the sender has its share already: by refunds at our loss or a lost dispute, or by the rounding of parts before. */
  readonly isCovered: boolean;
}

/** Bolivianos whose share of the charge is settled with the sender, in centavos: refunded, or kept because they have the charge back. */
export function settledRest({
  keptMinor,
  operations,
}: {
  readonly keptMinor: bigint;
  readonly operations: readonly { readonly status: OperationStatus; readonly restMinor?: bigint | null }[];
}): bigint {
  return operations.reduce(
    (sum, { status, restMinor }) => (status === 'succeeded' ? sum + (restMinor ?? 0n) : sum),
    keptMinor,
  );
}

/** Computes the debt and the possible actions for the rest of a completed transfer. */
export function restOf(facts: RestFacts): Rest {
  const { operations, holds, amountMinor } = facts;
  const payouts = operations.filter(({ kind }) => kind === 'payout');
  const settledMinor = settledRest(facts);
  const owedMinor = owedToFamily(facts, { settledMinor, payouts });
  const share = nextShare(facts, settledMinor, owedMinor);
  const sum = (amounts: readonly { readonly amountMinor: bigint }[]) =>
    amounts.reduce((total, one) => total + one.amountMinor, 0n);
  const returned = sum(operations.filter(({ kind, status }) => kind === 'refund' && status === 'succeeded'));
  const lost = sum(holds.disputes.filter(({ booking }) => booking === 'lost'));
  const leftMinor = amountMinor - returned - lost;
  const keepsNothing = paidBy(payouts) <= 0n;
  const due = keepsNothing || share > leftMinor ? leftMinor : share;
  return {
    ...{ owedMinor, keepsNothing, leftMinor, refundMinor: due > 0n ? due : 0n },
    isCovered:
      share === 0n || ((leftMinor <= 0n || lost > 0n) && returned + lost - shareOf(facts, settledMinor) >= share),
  };
}

/** Whether an operation may still move money, or may have done so. */
const mayMove = (one: RestOperation) =>
  (one.kind === 'payout' || one.kind === 'refund') &&
  (openStatuses.includes(one.status) || (one.status !== 'succeeded' && !isCertainlyUndone(one)));

/** Whether nothing moves money, apart from orders about the rest of these kinds that were not sent and can be withdrawn. */
function isQuiet({ operations }: RestFacts, withdrawable: readonly OperationKind[] = []): boolean {
  const canWithdraw = (one: RestOperation) =>
    one.restRequestId !== null && withdrawable.includes(one.kind) && isCertainlyUndone(one);
  return operations.every((one) => !mayMove(one) || canWithdraw(one));
}

/** Whether the rest may be paid to the family; false once the whole charge was refunded. */
export function canPayRest(facts: RestFacts): boolean {
  const { owedMinor, leftMinor } = restOf(facts);
  return owedMinor > 0n && leftMinor > 0n && isQuiet(facts);
}

/** Whether the share of the rest may go back to the sender, instead of a payment that was not sent. */
export function canRefundRest(facts: RestFacts): boolean {
  const { owedMinor, refundMinor, keepsNothing } = restOf(facts);
  return owedMinor > 0n && (refundMinor > 0n || keepsNothing) && isQuiet(facts, ['payout']);
}

/** Whether the rest stays with us, because the sender has its share already. */
export function canKeepRest(facts: RestFacts): boolean {
  const { owedMinor, isCovered, keepsNothing } = restOf(facts);
  return owedMinor > 0n && isCovered && !keepsNothing && isQuiet(facts, ['payout', 'refund']);
}
