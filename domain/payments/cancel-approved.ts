import type { JobContext } from '../job-context.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { findTransfer } from '../transfers/transfer.repository.ts';
import { applyIntent, cancelledBySender } from './apply-intent.ts';
import { readIntent } from './read-intent.ts';
import { cancelIntent } from './void-authorization.ts';

/**
 * Carries out a sender's cancellation that came after the approval and in time. Stripe decides whether the authorization was
 * voided or captured in the meantime: an intent can be cancelled or captured, never both. What was charged goes back, fee
 * included (refund.ts).
 */
export async function cancelApprovedTransfer(context: JobContext, transferId: string, attempt: number): Promise<void> {
  const transfer = await findTransfer(context.database.fork(), transferId);
  if (!transfer?.cancelRequestedAt) return;
  if (transfer.state === 'captured') {
    await context.database.transaction((em) =>
      moveTransfer(em, transfer.id, 'cancel_charge', { at: context.now(), changes: { reason: cancelledBySender } }),
    );
  } else if (transfer.state === 'approved') {
    const before = await readIntent(context, transfer);
    if (before.status === 'requires_capture') await cancelIntent(context, transfer, attempt);
    const intent = await readIntent(context, transfer);
    await applyIntent(context, transfer, intent);
    if (intent.status === 'requires_capture') throw new Error('the authorization is still there');
  }
}
