import { cryptoOrderOf, syncCryptoOrder } from '../crypto/sync-order.ts';
import type { JobContext } from '../job-context.ts';
import { attachPaymentIntent } from '../transfers/move-transfer.ts';
import { findTransfer, findTransferByIntent } from '../transfers/transfer.repository.ts';
import { UnexpectedIntentError } from './apply-intent.ts';
import { declinedEvent, stopDeclinedPayment } from './stop-declined.ts';
import { findUnhandledEvent, markEventHandled } from './stripe-event.repository.ts';
import { syncPayment } from './sync-payment.ts';

/**
 * Handles a stored Stripe event: finds whose payment or purchase it hints at and reads that again (sync-payment.ts). Twice,
 * late or out of order is the same.
 */
export async function handleStripeEvent(context: JobContext, eventId: string): Promise<void> {
  const event = await findUnhandledEvent(context.database.fork(), eventId);
  if (!event) return;
  const { paymentIntentId } = event;
  const transferId = paymentIntentId && (await transferOf(context, paymentIntentId));
  if (transferId) await syncOf(context, { transferId, eventId });
  if (transferId && event.type === declinedEvent) await stopDeclinedPayment(context, transferId, paymentIntentId);
  const orderId = event.onrampSessionId && (await cryptoOrderOf(context, event.onrampSessionId));
  if (orderId) await syncCryptoOrder(context, orderId);
  await markEventHandled(context.database.fork(), eventId, context.now());
}

/** Where Stripe contradicts us the event is done with all the same: the job fails once, for a person, not again and again. */
async function syncOf(context: JobContext, { transferId, eventId }: { transferId: string; eventId: string }) {
  try {
    await syncPayment(context, transferId);
  } catch (error) {
    if (error instanceof UnexpectedIntentError) {
      await markEventHandled(context.database.fork(), eventId, context.now());
    }
    throw error;
  }
}

/** The transfer a payment intent belongs to. If the api died between making the intent and noting it, it is noted now. */
async function transferOf(context: JobContext, paymentIntentId: string): Promise<string | null> {
  const em = context.database.fork();
  const known = await findTransferByIntent(em, paymentIntentId);
  if (known) return known.id;
  const intent = await context.stripe.paymentIntents.retrieve(paymentIntentId);
  const transferId = intent.metadata.transfer_id;
  if (!transferId || !(await findTransfer(em, transferId))) return null;
  await context.database.transaction((each) => attachPaymentIntent(each, transferId, paymentIntentId, context.now()));
  return transferId;
}
