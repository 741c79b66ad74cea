import { NonRetryableError } from '#platform/queues/retry';
import type { JobContext } from '../job-context.ts';
import { Transfer } from '../transfers/transfer.entity.ts';
import { moveTransfer } from '../transfers/transfer.repository.ts';

/**
 * The payout is impossible: returns the whole amount, fee included, to the card. A refund that is still pending is looked
 * at again when Stripe tells of it or a sweep comes by. @throws NonRetryableError when Stripe could not return it: a person has to.
 */
export async function refundPayment(context: JobContext, transferId: string): Promise<void> {
  const transfer = await context.database.fork().findOne(Transfer, { id: transferId });
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
