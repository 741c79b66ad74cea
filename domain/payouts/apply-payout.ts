import type { PayoutAnswer } from '#core/contracts/bank';
import { openStatuses } from '#core/operations/operation';
import { outcomeOf, type ProviderFact } from '#core/operations/reducer';
import { type RejectionClass, rejectionClassOf } from '#core/payouts/bank-answers';
import { bankReason } from '#core/transfers/own-reasons';
import type { EntityManager } from '#platform/database/database';
import { reopenDecision } from '../corrections/correct.ts';
import { applySecondPayout, type LockedPayout } from '../corrections/second-payout.ts';
import { attemptLater } from '../desk/attempt-later.ts';
import { bumpCaseVersions, openCase } from '../desk/desk-case.repository.ts';
import type { JobContext } from '../jobs/job-context.ts';
import {
  findOperation,
  findOperations,
  type Operation,
  resumeHeldOperations,
  updateOperation,
} from '../provider-calls/operation.repository.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { lockTransfer } from '../transfers/transfer.repository.ts';
import { finishCancellation } from './cancel.ts';
import { emailFailedPayout } from './failed-payout.ts';
import { stopPayouts } from './stop-payouts.ts';

/** The id of a payout at the bank. A transfer's first one has the transfer's id. */
export function payoutIdOf({ transferId, sequence }: Pick<Operation, 'transferId' | 'sequence'>): string {
  return sequence === 1 ? transferId : `${transferId}-${sequence}`;
}

/** The deadline for correcting the account of a payout that fails now. */
export function askForCorrection({ now, correctAccountMs }: JobContext): { correctAccountBy: Date } {
  return { correctAccountBy: new Date(now().getTime() + correctAccountMs) };
}

/**
 * Records the bank's answer about a payout, and moves its transfer, in the transaction of `em`. Idempotent; an answer
 * without a result changes nothing.
 */
export async function applyPayout(
  context: JobContext,
  em: EntityManager,
  { id, transferId }: Operation,
  answer: PayoutAnswer,
): Promise<void> {
  const at = context.now();
  const transfer = await lockTransfer(em, transferId);
  const operation = await findOperation(em, id);
  if (!transfer || !operation || answer.status === 'pending') return;
  const payout = { transfer, operation };
  if (answer.status === 'rejected') return applyRejection(context, em, payout, answer.rejection);
  if (operation.payoutTarget) return applySecondPayout(em, payout, { reference: answer.reference, at });
  return applyPaid(em, payout, { reference: answer.reference, at });
}

async function applyPaid(
  em: EntityManager,
  { transfer, operation }: LockedPayout,
  { reference, at }: { reference: string; at: Date },
): Promise<void> {
  const { id: transferId, state } = transfer;
  if (operation.status === 'succeeded') return;
  if (outcomeOf(state, 'payout_paid') !== 'pay_out') {
    const details = `bank: paid ${reference}; transfer: ${state}`;
    return openCase(em, { transferId, operationId: operation.id, reason: 'contradiction', details, at });
  }
  // It may have been given up, and another one opened in its place that was not sent.
  const others = (await findOperations(em, transferId, 'payout')).filter(
    (one) => one.id !== operation.id && openStatuses.includes(one.status),
  );
  for (const other of others) await updateOperation(em, other, { status: 'abandoned', nextAttemptAt: null }, at);
  if (!openStatuses.includes(operation.status)) await updateOperation(em, operation, { status: 'unknown' }, at);
  await moveTransfer(em, transfer, 'pay_out', { at, changes: { payoutReference: reference } });
}

/** The fact of a rejection, by its class. */
const facts: Readonly<Record<RejectionClass, ProviderFact>> = {
  account: 'payout_account_rejected',
  person: 'payout_person_rejected',
  own: 'payout_own_rejected',
  unknown: 'payout_unexplained',
};

/** Applies a confirmed rejection: the order has ended, and its class decides who may order again. */
async function applyRejection(
  context: JobContext,
  em: EntityManager,
  { transfer, operation }: LockedPayout,
  { code, message }: { code: string; message: string },
): Promise<void> {
  const at = context.now();
  const { id: transferId, state } = transfer;
  const { id: operationId, status } = operation;
  const isSecond = operation.payoutTarget != null;
  if (status === 'failed') return;
  const details = `${code}: ${message}`;
  const ofCase = { transferId, operationId, details, at };
  if (status === 'succeeded') return openCase(em, { ...ofCase, reason: 'contradiction' });
  await failPayout(em, operation, { lastError: details, at });
  await bumpCaseVersions(em, transferId);
  const about = rejectionClassOf(code);
  if (about === 'own') await stopPayouts(em, { rail: 'bank', code, at });
  if (isSecond && about !== 'own') return reopenDecision(em, operation, { error: message, at });
  if (!isSecond) {
    await resumeHeldOperations(em, transferId, at);
    if (await hasNewer(em, operation)) return;
    if (await finishCancellation(em, transferId, at)) return;
  }
  const outcome = isSecond ? 'pay_later' : outcomeOf(state, facts[about]);
  switch (outcome) {
    case 'reject_payout': {
      const changes = { reason: bankReason('refused', message), ...askForCorrection(context) };
      await moveTransfer(em, transfer, 'reject_payout', { at, changes });
      await openCase(em, { ...ofCase, details: message, reason: 'payout_rejected' });
      return emailFailedPayout(em, { transferId, operationId, returned: false, at });
    }
    case 'payout_not_allowed':
    case 'payout_unexplained':
      return openCase(em, { ...ofCase, reason: outcome });
    case 'pay_later':
      // Due at once, and so held by the stop until that is lifted.
      return attemptLater(em, transfer, operation, { error: details, at, dueAt: at });
    case 'unchanged':
      return;
    default:
      return openCase(em, { ...ofCase, reason: 'contradiction', details: `bank: ${details}; transfer: ${state}` });
  }
}

/** Records that a payout has certainly failed, in the transaction that holds the lock of its transfer's row. */
export function failPayout(
  em: EntityManager,
  operation: Operation,
  { lastError, at }: { lastError: string; at: Date },
): Promise<void> {
  return updateOperation(em, operation, { status: 'failed', nextAttemptAt: null, awaiting: null, lastError }, at);
}

/** Whether another payout of the transfer was opened after this one. */
async function hasNewer(em: EntityManager, { transferId, sequence }: Operation): Promise<boolean> {
  const payouts = await findOperations(em, transferId, 'payout');
  return payouts.some((one) => !one.payoutTarget && one.sequence > sequence);
}
