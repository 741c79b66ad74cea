import { DriverException } from '@mikro-orm/core';
import { Stripe } from 'stripe';
import { NonRetryableError } from '#platform/queues/retry';
import { cryptoOrderOf, syncCryptoOrder } from '../crypto/sync-order.ts';
import { syncDisputes } from '../disputes/sync-disputes.ts';
import type { JobContext } from '../job-context.ts';
import { attachPaymentIntent } from '../transfers/move-transfer.ts';
import { findTransfer, findTransferByIntent } from '../transfers/transfer.repository.ts';
import { declinedEvent, stopDeclinedPayment } from './stop-declined.ts';
import { endEvent, findUnhandledEvent, putOffEvent, type StripeEvent } from './stripe-event.repository.ts';
import { syncPayment } from './sync-payment.ts';

/** Attempts at an event before it is given up: about a quarter of an hour. The sweeps read the payment all the same. */
export const maxEventAttempts = 10;

/**
 * Handles a stored Stripe event: finds whose payment or purchase it hints at and reads that again (sync-payment.ts). Twice,
 * late or out of order is the same. What is not ours is ignored, and what fails for good is abandoned after some attempts.
 */
export async function handleStripeEvent(context: JobContext, eventId: string): Promise<void> {
  const event = await findUnhandledEvent(context.database.fork(), eventId);
  if (!event) return;
  const em = context.database.fork();
  try {
    await endEvent(em, eventId, { outcome: (await apply(context, event)) ? 'handled' : 'ignored', at: context.now() });
  } catch (error) {
    if (error instanceof DriverException) throw error;
    const { message } = error as Error;
    const last = error instanceof NonRetryableError || event.attempts + 1 >= maxEventAttempts;
    context.log.warn({ err: error, eventId, last }, 'a Stripe event could not be handled');
    if (last) return endEvent(em, eventId, { outcome: 'abandoned', error: message, at: context.now() });
    await context.database.transaction((each) => putOffEvent(each, event, { error: message, at: context.now() }));
  }
}

/** Returns whether the event is about something of ours. */
async function apply(context: JobContext, event: StripeEvent): Promise<boolean> {
  const { paymentIntentId, onrampSessionId, type } = event;
  const transferId = paymentIntentId ? await transferOf(context, paymentIntentId) : null;
  if (transferId) await syncPayment(context, transferId);
  if (transferId && type.startsWith('charge.dispute.')) await syncDisputes(context, transferId);
  if (transferId && paymentIntentId && type === declinedEvent) {
    await stopDeclinedPayment(context, transferId, paymentIntentId);
  }
  const orderId = onrampSessionId ? await cryptoOrderOf(context, onrampSessionId) : null;
  if (orderId) await syncCryptoOrder(context, orderId);
  return transferId != null || orderId != null;
}

/** The transfer a payment intent belongs to, or null. If the api died between making the intent and noting it, it is noted now. */
async function transferOf(context: JobContext, paymentIntentId: string): Promise<string | null> {
  const em = context.database.fork();
  const known = await findTransferByIntent(em, paymentIntentId);
  if (known) return known.id;
  const intent = await retrieve(context, paymentIntentId);
  const transferId = intent?.metadata.transfer_id;
  if (!transferId || !(await findTransfer(em, transferId))) return null;
  await context.database.transaction((each) => attachPaymentIntent(each, transferId, paymentIntentId, context.now()));
  return transferId;
}

/** A payment intent, or null when our account has none with this id. */
async function retrieve(context: JobContext, paymentIntentId: string): Promise<Stripe.PaymentIntent | null> {
  try {
    return await context.stripe.paymentIntents.retrieve(paymentIntentId);
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404) return null;
    throw error;
  }
}
