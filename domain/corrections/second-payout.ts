import { openStatuses } from '#core/operations/operation';
import { paidBy } from '#core/transfers/rest';
import type { EntityManager } from '#platform/database/database';
import { closeCasesOf, openCase } from '../desk/desk-case.repository.ts';
import {
  findOperation,
  findOperations,
  type Operation,
  updateOperation,
} from '../provider-calls/operation.repository.ts';
import { postPayoutReturn, postSecondPayout } from '../transfers/ledger.repository.ts';
import { changeWithinState } from '../transfers/move-transfer.ts';
import { lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';
import { closeCorrected, reopenDecision } from './correct.ts';
import { closeSettledRest, countRest, emailRestPaid, paidOrSettled } from './rest.ts';

// A payout after a completed one: it resolves a complaint (decision 31) or pays what the bank returned (rest.ts). The
// transfer stays completed: payouts beyond the promised amount are our loss.

/** A payout and its transfer, whose row is locked. */
export interface LockedPayout {
  readonly transfer: Transfer;
  readonly operation: Operation;
}

/** Records that the bank made a second payout, in the transaction of `em`. Idempotent. */
export async function applySecondPayout(
  em: EntityManager,
  { transfer, operation }: LockedPayout,
  { reference, at }: { reference: string; at: Date },
): Promise<void> {
  if (operation.status === 'succeeded') return;
  if (transfer.state === 'completed' && operation.status !== 'failed') {
    return bookSecondPayout(em, { transfer, operation, reference, at });
  }
  const details = `bank: paid ${reference} a second time; transfer: ${transfer.state}`;
  await openCase(em, {
    ...{ transferId: transfer.id, operationId: operation.id, reason: 'contradiction', details, at },
  });
}

async function bookSecondPayout(
  em: EntityManager,
  {
    transfer,
    operation,
    reference,
    at,
  }: { transfer: Transfer; operation: Operation; reference: string | null; at: Date },
): Promise<void> {
  const paidMinor = await paidOrSettled(em, transfer);
  const ended = { status: 'succeeded', nextAttemptAt: null, providerReference: reference } as const;
  await updateOperation(em, operation, ended, at);
  postSecondPayout(em, transfer, operation, { paidMinor, at });
  await em.flush();
  const now = await countPaid(em, transfer, operation, { name: 'pay_second_time', at });
  await closeCasesOf(em, operation, { outcome: 'paid', at });
  await closeSettledRest(em, now, { outcome: 'paid', at });
  if (operation.restRequestId) await emailRestPaid(em, now, { operation, reference, at });
  else await closeCorrected(em, now, at);
}

/** A return of a payment by the bank. */
interface Returned {
  readonly reference: string;
  readonly message: string;
  readonly amountMinor: bigint;
  /** Number among the returns of this payout, from 1. */
  readonly part: number;
  readonly at: Date;
}

/**
 * Records a return of a second payout; the row of the transfer is locked. If the payout's answer was lost, the return
 * proves that it was made. Once all of it is returned, the decision on its report, or on the rest, is reopened.
 */
export async function returnSecondPayout(
  em: EntityManager,
  { transfer, operation }: { transfer: Transfer; operation: Operation },
  returned: Returned,
): Promise<'whole' | 'part'> {
  const { reference, message, amountMinor, part, at } = returned;
  if (operation.status !== 'succeeded') {
    await bookSecondPayout(em, { transfer, operation, reference, at });
    const now = await lockTransfer(em, transfer.id);
    const paid = await findOperation(em, operation.id);
    if (!now || !paid) throw new Error('a payout without its transfer');
    return returnSecondPayout(em, { transfer: now, operation: paid }, returned);
  }
  const paidMinor = await paidOrSettled(em, transfer);
  const returnedMinor = operation.returnedMinor + amountMinor;
  const isWhole = returnedMinor === operation.amountMinor;
  await updateOperation(em, operation, { returnedMinor, ...(isWhole && { status: 'failed', lastError: message }) }, at);
  postPayoutReturn(em, transfer, operation, { amountMinor, part, paidMinor, at });
  await em.flush();
  await countPaid(em, transfer, operation, { name: 'take_second_back', at });
  if (!isWhole) return 'part';
  await reopenDecision(em, operation, { error: message, at });
  return 'whole';
}

/** Whether a second payout was made, may have been, or is about to be. */
export function countsAsPaid({ payoutTarget, status, attempts, amountMinor, returnedMinor }: Operation): boolean {
  if (!payoutTarget) return false;
  if (status === 'succeeded') return returnedMinor < amountMinor;
  return openStatuses.includes(status) || (status === 'abandoned' && attempts > 0);
}

/** Shows the amount paid for a report, or of the rest. */
async function countPaid(
  em: EntityManager,
  transfer: Transfer,
  { restRequestId }: Operation,
  step: { name: 'pay_second_time' | 'take_second_back'; at: Date },
): Promise<Transfer> {
  if (restRequestId) return countRest(em, transfer.id, { at: step.at });
  const payouts = await findOperations(em, transfer.id, 'payout');
  const paidAgainMinor = paidBy(payouts.filter(({ complaintId }) => complaintId));
  return (await changeWithinState(em, transfer, { paidAgainMinor }, { owner: 'payouts', ...step })) ?? transfer;
}
