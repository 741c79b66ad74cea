import { Failure } from '#core/contracts/failures';
import { payoutMethodOf } from '#core/recipients/banks';
import { estimateDelivery } from '#core/transfers/delivery';
import type { EntityManager } from '#platform/database/database';
import { payoutTargetOf } from '../recipients/payout-target.ts';
import { findRecipient } from '../recipients/recipient.repository.ts';
import { Transfer } from './transfer.entity.ts';
import { chooseRecipient } from './transfer.repository.ts';

/**
 * Lets a sender say who receives a transfer of theirs that was paid without a recipient, in the transaction of `em`. Amount,
 * rate and limits stay those of its frozen quote; the delivery estimate follows from the recipient's bank and from when it
 * was chosen. @throws Failure `not_found` (also for another person's transfer or recipient), `recipient_not_open`.
 */
export async function chooseRecipientOf(
  em: EntityManager,
  input: { userId: string; transferId: string; recipientId: string; at: Date },
): Promise<Transfer> {
  const { userId, transferId, recipientId, at } = input;
  if (!(await em.findOne(Transfer, { id: transferId, userId }))) throw new Failure('not_found');
  const recipient = await findRecipient(em, userId, recipientId);
  const transfer = await chooseRecipient(em, transferId, {
    recipient: { id: recipient.id, target: payoutTargetOf(recipient) },
    estimatedDelivery: estimateDelivery(at, payoutMethodOf(recipient.bankName)),
    senderId: userId,
    at,
  });
  if (!transfer) throw new Failure('recipient_not_open');
  return transfer;
}
