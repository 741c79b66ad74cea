import { NonRetryableError } from '#platform/queues/retry';
import type { JobContext } from '../job-context.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { findTransfer } from '../transfers/transfer.repository.ts';

/**
 * The charged money is not paid out, because the bank refused it or its sender cancelled: returns the whole amount, fee
 * included, to the card. A refund that is still pending is looked at again when Stripe sends an event or a sweep comes by.
 * @throws NonRetryableError when Stripe could not return it: a person has to.
 */
export async function refundPayment(context: JobContext, transferId: string): Promise<void> {
  const transfer = await findTransfer(context.database.fork(), transferId);
  if (transfer?.state !== 'refunding' || !transfer.paymentIntentId) return;
  const { stripe } = context;
  const existing = await stripe.refunds.list({ payment_intent: transfer.paymentIntentId, limit: 1 });
  const refund =
    existing.data[0] ??
    (await stripe.refunds.create(
      { payment_intent: transfer.paymentIntentId, metadata: { transfer_id: transfer.id } },
      { idempotencyKey: `refund:${transfer.id}:1` },
    ));
  if (refund.status === 'succeeded') {
    await context.database.transaction((em) => moveTransfer(em, transfer.id, 'refund', { at: context.now() }));
  } else if (refund.status === 'failed' || refund.status === 'canceled') {
    throw new NonRetryableError('Stripe could not return the money to the card');
  }
}
