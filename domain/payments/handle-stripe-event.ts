import { cryptoOrderOf, syncCryptoOrder } from '../crypto/sync-order.ts';
import type { JobContext } from '../job-context.ts';
import { Transfer } from '../transfers/transfer.entity.ts';
import { attachPaymentIntent } from '../transfers/transfer.repository.ts';
import { StripeEvent } from './stripe-event.entity.ts';
import { syncPayment } from './sync-payment.ts';

/** A stored Stripe event: finds whose payment or purchase it hints at and reads that again. Twice, late or out of order is the same. */
export async function handleStripeEvent(context: JobContext, eventId: string): Promise<void> {
  const event = await context.database.fork().findOne(StripeEvent, { id: eventId });
  if (!event || event.handledAt) return;
  const transferId = event.paymentIntentId && (await transferOf(context, event.paymentIntentId));
  if (transferId) await syncPayment(context, transferId);
  const orderId = event.onrampSessionId && (await cryptoOrderOf(context, event.onrampSessionId));
  if (orderId) await syncCryptoOrder(context, orderId);
  await context.database.fork().nativeUpdate(StripeEvent, { id: eventId }, { handledAt: context.now() });
}

/** The transfer a payment intent belongs to. If the api died between making the intent and noting it, it is noted now. */
async function transferOf(context: JobContext, paymentIntentId: string): Promise<string | null> {
  const em = context.database.fork();
  const known = await em.findOne(Transfer, { paymentIntentId }, { fields: ['id'] });
  if (known) return known.id;
  const intent = await context.stripe.paymentIntents.retrieve(paymentIntentId);
  const transferId = intent.metadata.transfer_id;
  if (!transferId || !(await em.findOne(Transfer, { id: transferId }, { fields: ['id'] }))) return null;
  await attachPaymentIntent(em, transferId, paymentIntentId);
  return transferId;
}
