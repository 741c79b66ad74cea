import { endedUnpaidStates } from '#core/transfers/states';
import type { JobContext } from '../job-context.ts';
import { markAuthorizationVoided } from '../transfers/move-transfer.ts';
import { findTransfer, type Transfer } from '../transfers/transfer.repository.ts';
import { isStaleView, readIntent } from './read-intent.ts';

/**
 * Frees the card of a transfer that ended without a charge. Normally that cancels the authorization; should the money have
 * been charged behind our back (in Stripe's own dashboard), it is returned. Ends only when Stripe says that nothing is held.
 */
export async function voidAuthorization(context: JobContext, transferId: string, attempt: number): Promise<void> {
  const transfer = await findTransfer(context.database.fork(), transferId);
  if (!transfer || transfer.authorizationVoidedAt || !endedUnpaidStates.includes(transfer.state)) return;
  // Its intent may be in the making, where the sender was quick to cancel; once it is attached, the sweep comes by.
  if (!transfer.paymentIntentId) return;
  const intent = await readIntent(context, transfer);
  if (intent.status === 'succeeded') {
    await context.stripe.refunds.create(
      { payment_intent: intent.id, metadata: { transfer_id: transfer.id } },
      { idempotencyKey: `refund:${transfer.id}:unapproved` },
    );
  } else if (intent.status !== 'canceled') {
    await cancelIntent(context, transfer, attempt);
    if ((await readIntent(context, transfer)).status !== 'canceled')
      throw new Error('the authorization is still there');
  }
  await context.database.transaction((em) => markAuthorizationVoided(em, transfer.id, context.now()));
}

/**
 * Cancels the payment intent of a transfer. The key carries the reason, because Stripe refuses a key with other data. An
 * intent that is cancelled or captured already is no error: the caller reads it again.
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
