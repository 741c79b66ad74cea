import { Failure } from '#core/contracts/failures';
import type { TransferView } from '#core/contracts/http/transfers';
import { type Cancellation, type CancelRefusal, cancellation, cancelWindowMs } from '#core/transfers/cancellation';
import type { EntityManager } from '#platform/database/database';
import { findHolds, isUnknownPayout } from '../holds/holds.repository.ts';
import {
  attemptAgain,
  findOpenOperation,
  findOperations,
  isTaken,
  type Operation,
  openOperation,
  resumeOperation,
} from '../provider-calls/operation.repository.ts';
import { toTransferView } from '../transfer-views/transfer-views.ts';
import { cancelledBySender, changeWithinState, moveTransfer } from '../transfers/move-transfer.ts';
import { findOwnTransfer, lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';

/**
 * Cancels a sender's own transfer, in the transaction of `em`; idempotent. The operations that follow void or refund
 * what is authorized or charged (row-jobs/run-operation.ts).
 * @throws Failure `not_found` (also for another user's transfer), or why it is too late, with the current transfer.
 */
export async function cancel(
  em: EntityManager,
  input: { userId: string; transferId: string; at: Date },
): Promise<TransferView> {
  const { userId, transferId, at } = input;
  await findOwnTransfer(em, userId, transferId);
  const { outcome, transfer } = await cancelTransfer(em, transferId, { senderId: userId, at });
  const view = await toTransferView(em, transfer, at);
  if (outcome.kind === 'refused') throw refusal(outcome.code, view);
  return view;
}

function refusal(code: CancelRefusal, transaction: TransferView): Failure {
  if (code !== 'cancel_too_late') return new Failure(code, { transaction });
  return new Failure(code, { transaction, windowSeconds: cancelWindowMs / 1000 });
}

/** Whether a cancellation takes back money that may be on its way to the recipient. */
const undoes = ({ kind }: Cancellation) => kind === 'request' || kind === 'money_back';

/**
 * Before the decision the transfer ends here; after it the request is recorded. Stripe decides whether the
 * authorization was voided or captured by then. A charge is refunded at once while it is certain that the bank has not
 * paid; otherwise the bank is only queried from now on, and its answer decides. Request and payout exclude each other,
 * because both are written under the row's lock. Returns the outcome and the current transfer.
 */
export async function cancelTransfer(
  em: EntityManager,
  transferId: string,
  input: { senderId: string; at: Date },
): Promise<{ outcome: Cancellation; transfer: Transfer }> {
  const { senderId, at } = input;
  const transfer = await lockTransfer(em, transferId);
  if (!transfer) throw new Failure('not_found');
  const outcome = cancellation(transfer, at);
  // Only a settlement by hand holds a cancellation (core/holds).
  if (undoes(outcome) && (await findHolds(em, transfer, 'cancellation')).length > 0)
    return { outcome: { kind: 'refused', code: 'settlement_in_progress' }, transfer };
  if (outcome.kind === 'withdraw') {
    const moved = await moveTransfer(em, transfer, 'withdraw', { at, actorId: senderId });
    return { outcome, transfer: moved ?? transfer };
  }
  if (outcome.kind === 'money_back') {
    const moved = await moveTransfer(em, transfer, 'ask_money_back', { at, actorId: senderId });
    return { outcome, transfer: moved ?? transfer };
  }
  if (outcome.kind !== 'request') return { outcome, transfer };
  const unknown = transfer.state === 'captured' ? await findUnknownPayouts(em, transferId) : [];
  const requested = await changeWithinState(
    em,
    transfer,
    { cancelRequestedAt: at },
    {
      ...{ name: 'request_cancel', owner: 'sender', actorId: senderId, at },
      ...(unknown.length > 0 && { email: 'transfer_cancel_requested' }),
    },
  );
  if (requested?.state === 'approved') await openOperation(em, requested, 'void', { at });
  await askBank(em, unknown, at);
  const charged = await finishCancellation(em, transferId, at);
  await em.flush();
  return { outcome, transfer: charged ?? requested ?? transfer };
}

async function findUnknownPayouts(em: EntityManager, transferId: string): Promise<Operation[]> {
  return (await findOperations(em, transferId, 'payout')).filter(isUnknownPayout);
}

/** Schedules an immediate inquiry about the payouts that the bank may have executed, unless one is running. */
async function askBank(em: EntityManager, unknown: readonly Operation[], at: Date): Promise<void> {
  const last = unknown.at(-1);
  if (!last) return;
  const open = await findOpenOperation(em, last.transferId, 'payout');
  if (!open) return attemptAgain(em, last, { askOnly: true, at });
  if (!isTaken(open)) await resumeOperation(em, open, at);
}

/**
 * Refunds the charge of a transfer that its sender cancelled, once it is certain that the bank has not paid; in the
 * transaction that holds the lock of its row. Returns the moved transfer, or null: nothing was cancelled, or it is not
 * certain yet.
 */
export async function finishCancellation(em: EntityManager, transferId: string, at: Date): Promise<Transfer | null> {
  const transfer = await lockTransfer(em, transferId, { state: 'captured' });
  if (!transfer?.cancelRequestedAt || (await findUnknownPayouts(em, transferId)).length > 0) return null;
  return moveTransfer(em, transfer, 'cancel_charge', { at, changes: { reason: cancelledBySender } });
}
