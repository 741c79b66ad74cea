import { Failure } from '#core/contracts/failures';
import type { TransferView } from '#core/contracts/http/transfers';
import { type Cancellation, type CancelRefusal, cancellation, cancelWindowMs } from '#core/transfers/cancellation';
import type { EntityManager } from '#platform/database/database';
import { openOperation } from '../operations/operation.repository.ts';
import { cancelledBySender, changeWithinState, moveTransfer } from './move-transfer.ts';
import { findOwnTransfer, lockTransfer, type Transfer } from './transfer.repository.ts';
import { toTransferView } from './transfer-views.ts';

/**
 * Lets a sender cancel a transfer of theirs, in the transaction of `em`; cancelled once more it stays as it is. What is held or
 * charged is voided or refunded by the operations that follow (operations/run-operation.ts). @throws Failure `not_found` (also for another person's transfer), or why it is
 * too late, with the transfer as it is now.
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

/**
 * Before the decision the transfer ends here; after it the request is written down: Stripe says
 * whether the authorization was voided or captured meanwhile, and what was captured is returned.
 * Request and payout exclude each other: both are written under the row's lock, each only while the other is not there.
 * Returns what it came to and the transfer as it is now.
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
  if (outcome.kind === 'withdraw') {
    const moved = await moveTransfer(em, transfer, 'withdraw', { at, actorId: senderId });
    return { outcome, transfer: moved ?? transfer };
  }
  if (outcome.kind === 'money_back') {
    const moved = await moveTransfer(em, transfer, 'ask_money_back', { at, actorId: senderId });
    return { outcome, transfer: moved ?? transfer };
  }
  if (outcome.kind !== 'request') return { outcome, transfer };
  const step = { name: 'request_cancel', owner: 'sender', actorId: senderId, at } as const;
  const requested = await changeWithinState(em, transfer, { cancelRequestedAt: at }, step);
  if (requested?.state === 'approved') await openOperation(em, requested, 'void', { at });
  const changes = { reason: cancelledBySender };
  const charged =
    requested?.state === 'captured' && (await moveTransfer(em, requested, 'cancel_charge', { at, changes }));
  await em.flush();
  return { outcome, transfer: charged || requested || transfer };
}
