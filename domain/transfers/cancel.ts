import { Failure } from '#core/contracts/failures';
import type { TransferView } from '#core/contracts/http/transfers';
import type { EntityManager } from '#platform/database/database';
import { Transfer } from './transfer.entity.ts';
import { cancelTransfer } from './transfer.repository.ts';
import { viewOf } from './transfer-view.ts';

/**
 * Lets a sender cancel a transfer of theirs, in the transaction of `em`; cancelled once more it stays as it is. Nothing is
 * undone here: the worker lets the hold go or gives the charge back. @throws Failure `not_found` (also for another person's
 * transfer), or why it is too late, with the transfer as it is now.
 */
export async function cancelOwn(
  em: EntityManager,
  input: { userId: string; transferId: string; at: Date },
): Promise<TransferView> {
  const { userId, transferId, at } = input;
  if (!(await em.findOne(Transfer, { id: transferId, userId }))) throw new Failure('not_found');
  const { outcome, transfer } = await cancelTransfer(em, transferId, { senderId: userId, at });
  const view = await viewOf(em, transfer);
  if (outcome.kind === 'refused') throw new Failure(outcome.code, { transaction: view });
  return view;
}
