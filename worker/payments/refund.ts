import { Transfer } from '#platform/database/schema/transfers';
import { moveTransfer } from '#platform/database/transfers';
import type { Engine } from '../engine.ts';
import { Hopeless } from '../retry.ts';

/**
 * The payout is impossible: returns the whole amount, fee included, to the card. A refund that is still pending is looked
 * at again when Stripe tells of it or a sweep comes by. @throws Hopeless when Stripe could not return it: a person has to.
 */
export async function refundPayment(engine: Engine, transferId: string): Promise<void> {
  const transfer = await engine.database.read().findOne(Transfer, { id: transferId });
  if (transfer?.state !== 'refunding' || !transfer.paymentIntentId) return;
  const { stripe } = engine;
  const existing = await stripe.refunds.list({ payment_intent: transfer.paymentIntentId, limit: 1 });
  const refund =
    existing.data[0] ??
    (await stripe.refunds.create(
      { payment_intent: transfer.paymentIntentId, metadata: { transfer_id: transfer.id } },
      { idempotencyKey: `refund:${transfer.id}:1` },
    ));
  if (refund.status === 'succeeded') {
    await engine.database.transaction((em) => moveTransfer(em, transfer.id, 'refund', { at: engine.now() }));
  } else if (refund.status === 'failed' || refund.status === 'canceled') {
    throw new Hopeless('Stripe could not return the money to the card');
  }
}
