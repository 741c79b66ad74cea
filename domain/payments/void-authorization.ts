import type { JobContext } from '../job-context.ts';
import { Transfer } from '../transfers/transfer.entity.ts';
import { markHoldReleased } from '../transfers/transfer.repository.ts';
import { isStaleView, readIntent } from './read-intent.ts';
import { endedUnpaid } from './sync-payment.ts';

/**
 * Lets the card of a transfer that is not going on go. Normally that cancels the hold; should the money have been charged
 * behind our back (in Stripe's own dashboard), it is returned. Ends only when Stripe says that nothing is held.
 */
export async function releaseHold(context: JobContext, transferId: string, attempt: number): Promise<void> {
  const transfer = await context.database.fork().findOne(Transfer, { id: transferId });
  if (!transfer || transfer.holdReleasedAt || !endedUnpaid.includes(transfer.state)) return;
  // Its intent may be in the making, where the sender was quick to cancel; once noted, the sweep comes by.
  if (!transfer.paymentIntentId) return;
  const intent = await readIntent(context, transfer);
  if (intent.status === 'succeeded') {
    await context.stripe.refunds.create(
      { payment_intent: intent.id, metadata: { transfer_id: transfer.id } },
      { idempotencyKey: `refund:${transfer.id}:unapproved` },
    );
  } else if (intent.status !== 'canceled') {
    await cancelIntent(context, transfer, attempt);
    if ((await readIntent(context, transfer)).status !== 'canceled') throw new Error('the hold is still there');
  }
  await context.database.transaction((em) => markHoldReleased(em, transfer.id, context.now()));
}

/**
 * Cancels the payment intent of a transfer. The key carries the reason, because Stripe refuses a key with other data. That it was cancelled or captured already is no error: read it again.
 */
export async function cancelIntent(context: JobContext, transfer: Transfer, attempt: number): Promise<void> {
  const bySender = transfer.state === 'cancelled' || transfer.cancelRequestedAt != null;
  const reason = bySender ? 'requested_by_customer' : 'abandoned';
  try {
    await context.stripe.paymentIntents.cancel(
      transfer.paymentIntentId as string,
      { cancellation_reason: reason },
      { idempotencyKey: `cancel:${transfer.id}:${reason}:${attempt}` },
    );
  } catch (error) {
    if (!isStaleView(error)) throw error;
  }
}
