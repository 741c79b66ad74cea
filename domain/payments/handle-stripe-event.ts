import { Stripe } from 'stripe';
import type { RowJobData } from '#core/contracts/jobs';
import { maxAttempts } from '#core/operations/operation';
import type { EntityManager } from '#platform/database/database';
import type { JobResult } from '#platform/outbox/row-jobs';
import { classifyError, NonRetryableError } from '#platform/queues/retry';
import { cryptoOrderOf, syncCryptoOrder } from '../crypto/sync-order.ts';
import { openCase } from '../desk/desk-case.repository.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { attachPaymentIntent } from '../transfers/move-transfer.ts';
import { findTransfer, findTransferByIntent, type Transfer } from '../transfers/transfer.repository.ts';
import { isReviewEvent, syncCardRisk } from './card-risk.ts';
import { isFraudWarning, syncFraudWarnings } from './fraud-warnings.ts';
import { stopDeclinedPayment } from './stop-declined.ts';
import {
  beginStripeEvent,
  declinedEvent,
  endStripeEvent,
  isKnown,
  putOffStripeEvent,
  type StripeEvent,
} from './stripe-event.repository.ts';
import { syncDisputes } from './sync-disputes.ts';
import { syncReadPayment } from './sync-payment.ts';

/** Attempts at an event before it is given up with a case, as for operations. */
export const maxEventAttempts = maxAttempts;

/**
 * Handles a stored event: finds its payment or purchase and reads that from Stripe (sync-payment.ts), unless the
 * event's news is already known. Idempotent and independent of order. Events about unknown objects are ignored. Returns
 * when its job is to run again.
 * @throws NonRetryableError when it was given up and a case opened.
 */
export async function handleStripeEvent(context: JobContext, job: RowJobData): Promise<JobResult> {
  const { database, now } = context;
  const begun = await database.transaction((em) => beginStripeEvent(em, job, now()));
  if (!begun) return undefined;
  if ('early' in begun) return begun.early;
  const { row: event } = begun;
  let outcome: 'handled' | 'ignored';
  try {
    // Attempts that crashed the process also count towards the maximum.
    if (event.attempts > maxEventAttempts) throw new NonRetryableError('every attempt crashed');
    outcome = (await apply(context, event)) ? 'handled' : 'ignored';
  } catch (error) {
    return fail(context, event, error);
  }
  await database.transaction((em) => endStripeEvent(em, event, { outcome, at: now() }));
  return undefined;
}

/** Postpones an event whose attempt failed, or gives it up. */
async function fail(context: JobContext, event: StripeEvent, thrown: unknown): Promise<JobResult> {
  const { database, log, now } = context;
  log.warn({ err: thrown, eventId: event.id, attempts: event.attempts }, 'a Stripe event could not be handled');
  // The message without the data of our own statements.
  const ended = { error: classifyError(thrown).message, at: now() };
  if (thrown instanceof NonRetryableError || event.attempts >= maxEventAttempts) {
    if (await database.transaction((em) => abandon(em, event, ended))) throw new NonRetryableError(ended.error);
    return undefined;
  }
  const next = await database.transaction((em) => putOffStripeEvent(em, event, ended));
  return next ? { at: next, error: ended.error } : undefined;
}

/**
 * Gives an event up with a case, because its news may not be repeated. Returns false when another attempt has started
 * since.
 */
async function abandon(
  em: EntityManager,
  event: StripeEvent,
  { error, at }: { error: string; at: Date },
): Promise<boolean> {
  if (!(await endStripeEvent(em, event, { outcome: 'abandoned', error, at }))) return false;
  const transfer = event.paymentIntentId ? await findTransferByIntent(em, event.paymentIntentId) : null;
  const details = `${event.type}: ${error}`;
  if (transfer) await openCase(em, { transferId: transfer.id, reason: 'contradiction', details, at });
  return true;
}

/** Returns whether the event concerns one of our objects. */
async function apply(context: JobContext, { type, paymentIntentId, onrampSessionId }: StripeEvent): Promise<boolean> {
  const transfer = paymentIntentId ? await transferOf(context, paymentIntentId) : null;
  if (transfer && paymentIntentId) await applyTo(context, transfer, { type, paymentIntentId });
  const orderId = onrampSessionId ? await cryptoOrderOf(context, onrampSessionId) : null;
  if (orderId) await syncCryptoOrder(context, orderId);
  return transfer != null || orderId != null;
}

async function applyTo(
  context: JobContext,
  transfer: Transfer,
  { type, paymentIntentId }: { type: string; paymentIntentId: string },
): Promise<void> {
  const isDecline = type === declinedEvent;
  // A declined attempt does not change a payment that waits for a card.
  const isRead = isKnown(type, transfer.state) || (isDecline && transfer.state === 'awaiting_payment');
  if (!isRead) await syncReadPayment(context, transfer, { isAboutRefund: isRefundEvent(type) });
  if (type.startsWith('charge.dispute.')) await syncDisputes(context, transfer.id);
  if (isFraudWarning(type)) await syncFraudWarnings(context, transfer.id);
  if (isReviewEvent(type)) await syncCardRisk(context, transfer.id);
  if (isDecline) await stopDeclinedPayment(context, transfer, paymentIntentId);
}

/** Events that themselves prove a refund: a failed one leaves no trace in the charge. */
const isRefundEvent = (type: string): boolean => type.startsWith('refund.') || type.startsWith('charge.refund');

/**
 * The transfer of a payment intent, or null. If the api crashed between creating the intent and storing it, it is
 * stored now.
 */
async function transferOf(context: JobContext, paymentIntentId: string): Promise<Transfer | null> {
  const em = context.database.fork();
  const noted = await findTransferByIntent(em, paymentIntentId);
  if (noted) return noted;
  const intent = await retrieve(context, paymentIntentId);
  const transferId = intent?.metadata.transfer_id;
  if (!transferId || !(await findTransfer(em, transferId))) return null;
  await context.database.transaction((each) => attachPaymentIntent(each, transferId, paymentIntentId, context.now()));
  return findTransfer(context.database.fork(), transferId);
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
