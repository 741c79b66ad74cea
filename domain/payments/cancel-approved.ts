import type { JobContext } from '../job-context.ts';
import { Transfer } from '../transfers/transfer.entity.ts';
import { moveTransfer } from '../transfers/transfer.repository.ts';
import { readIntent } from './read-intent.ts';
import { cancelledBySender, settle } from './sync-payment.ts';
import { cancelIntent } from './void-authorization.ts';

/**
 * A sender cancelled after the approval and in time. Stripe decides whether the hold was let go or captured in the meantime:
 * an intent can be cancelled or captured, never both. What was charged goes back, fee included.
 */
export async function undoTransfer(context: JobContext, transferId: string, attempt: number): Promise<void> {
  const transfer = await context.database.fork().findOne(Transfer, { id: transferId });
  if (!transfer?.cancelRequestedAt) return;
  if (transfer.state === 'captured') {
    await context.database.transaction((em) =>
      moveTransfer(em, transfer.id, 'cancel_charge', { at: context.now(), changes: { reason: cancelledBySender } }),
    );
  } else if (transfer.state === 'approved') {
    const before = await readIntent(context, transfer);
    if (before.status === 'requires_capture') await cancelIntent(context, transfer, attempt);
    const intent = await readIntent(context, transfer);
    await settle(context, transfer, intent);
    if (intent.status === 'requires_capture') throw new Error('the hold is still there');
  }
}
