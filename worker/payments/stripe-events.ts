import { StripeEvent } from '#platform/database/schema/events';
import { Transfer } from '#platform/database/schema/transfers';
import { attachPaymentIntent } from '#platform/database/transfers';
import { cryptoOrderOf, syncCryptoOrder } from '../crypto/sync.ts';
import type { Engine } from '../engine.ts';
import { syncPayment } from './sync.ts';

/** A stored Stripe event: finds whose payment or purchase it hints at and reads that again. Twice, late or out of order is the same. */
export async function handleStripeEvent(engine: Engine, eventId: string): Promise<void> {
  const event = await engine.database.read().findOne(StripeEvent, { id: eventId });
  if (!event || event.handledAt) return;
  const transferId = event.paymentIntentId && (await transferOf(engine, event.paymentIntentId));
  if (transferId) await syncPayment(engine, transferId);
  const orderId = event.onrampSessionId && (await cryptoOrderOf(engine, event.onrampSessionId));
  if (orderId) await syncCryptoOrder(engine, orderId);
  await engine.database.read().nativeUpdate(StripeEvent, { id: eventId }, { handledAt: engine.now() });
}

/** The transfer a payment intent belongs to. If the api died between making the intent and noting it, it is noted now. */
async function transferOf(engine: Engine, paymentIntentId: string): Promise<string | null> {
  const em = engine.database.read();
  const known = await em.findOne(Transfer, { paymentIntentId }, { fields: ['id'] });
  if (known) return known.id;
  const intent = await engine.stripe.paymentIntents.retrieve(paymentIntentId);
  const transferId = intent.metadata.transfer_id;
  if (!transferId || !(await em.findOne(Transfer, { id: transferId }, { fields: ['id'] }))) return null;
  await attachPaymentIntent(em, transferId, paymentIntentId);
  return transferId;
}
