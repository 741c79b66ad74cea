import { Stripe } from 'stripe';
import { maxAttempts } from '#core/operations/operation';
import type { EntityManager } from '#platform/database/database';
import { GroupCommit } from '#platform/database/group-commit';
import { classifyError, NonRetryableError } from '#platform/queues/retry';
import { traced } from '#platform/telemetry/tracing';
import { cryptoOrderOf, syncCryptoOrder } from '../crypto/sync-order.ts';
import { syncDisputes } from '../disputes/sync-disputes.ts';
import type { JobContext } from '../job-context.ts';
import { openCase } from '../operations/desk-case.repository.ts';
import { attachPaymentIntent } from '../transfers/move-transfer.ts';
import { findTransfer, findTransferByIntent, type Transfer } from '../transfers/transfer.repository.ts';
import { holdPayments, type ReadPayment } from './apply-intent.ts';
import { isReviewEvent, syncCardRisk } from './card-risk.ts';
import { isFraudWarning, syncFraudWarnings } from './fraud-warnings.ts';
import { stopDeclinedPayment } from './stop-declined.ts';
import {
  declinedEvent,
  endEvents,
  findUnhandledEvent,
  isKnown,
  putOffEvent,
  type StripeEvent,
  type TakenEvent,
  takeDueEvents,
} from './stripe-event.repository.ts';
import { syncReadPayment } from './sync-payment.ts';

/** Attempts at an event before it is given up and a person has to look, as for operations. */
export const maxEventAttempts = maxAttempts;

/** Events taken at once. */
const batchSize = 64;
/** Payments read at the same time. */
const width = 16;

/** Handles a stored Stripe event that was put off, or whose signal got lost; see `attend`. */
export async function handleStripeEvent(context: JobContext, eventId: string): Promise<void> {
  const event = await findUnhandledEvent(context.database.fork(), eventId);
  if (!event) return;
  await writeOutcomes(context, [await attend(context, [event])]);
}

/**
 * Handles every event that is due, batch after batch. The events of a payment are one reading of it. Nothing is locked while Stripe is
 * asked: what is taken is marked, others pass it by, and if this process dies it is due again at once. Returns whether some came early, and
 * are due after `earlyEventMs`.
 */
export async function handleDueStripeEvents(context: JobContext): Promise<boolean> {
  const { database, now, presence: takenBy } = context;
  let early = false;
  for (let more = true; more; ) {
    const request = { now: now(), takenBy, limit: batchSize };
    const due = await database.statement((em) => takeDueEvents(em, request));
    if (due.taken.length > 0) await handleBatch(context, due.taken);
    more = due.more;
    early ||= due.early;
  }
  return early;
}

async function handleBatch(context: JobContext, taken: readonly TakenEvent[]): Promise<void> {
  const groups = Map.groupBy(taken, ({ event: { paymentIntentId, onrampSessionId, id } }) => {
    return paymentIntentId ?? onrampSessionId ?? id;
  });
  // Payments that are found to be held while others are written down become so together.
  const handled = new Set<string>();
  const holds = new GroupCommit<ReadPayment>(async (payments) => {
    for (const id of await holdPayments(context, payments)) handled.add(id);
    return [];
  });
  const done: Attended[] = [];
  const queue = groups.values();
  const lane = async () => {
    for (const group of queue) {
      const known = group[0]?.transfer ? { transfer: group[0].transfer, hasRefund: group[0].hasRefund } : undefined;
      const events = group.map(({ event }) => event);
      done.push(await attend(context, events, { holds, ...(known ? { known } : {}) }));
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, groups.size) }, lane));
  await writeOutcomes(context, done, handled);
}

/** What is known of a payment whose events were taken, and where it waits with the others of its batch. */
interface Batch {
  readonly known?: { readonly transfer: Transfer; readonly hasRefund: boolean };
  readonly holds?: GroupCommit<ReadPayment>;
}

/** Events of one payment or purchase, and what became of them. */
interface Attended {
  readonly events: readonly StripeEvent[];
  readonly outcome: 'handled' | 'ignored' | Error;
}

/**
 * Finds whose payment or purchase the events hint at and reads that again (sync-payment.ts), unless it is known already. Twice, late or
 * out of order is the same. Never throws: what one payment fails with holds up no other.
 */
async function attend(context: JobContext, events: readonly StripeEvent[], batch: Batch = {}): Promise<Attended> {
  try {
    const known = await traced('Stripe events', { kind: 'consumer', parent: null }, () =>
      apply(context, events, batch),
    );
    return { events, outcome: known ? 'handled' : 'ignored' };
  } catch (error) {
    context.log.warn({ err: error, eventIds: events.map(({ id }) => id) }, 'Stripe events could not be handled');
    return { events, outcome: error as Error };
  }
}

/** What is not ours is ignored, and what fails for good is abandoned after some attempts. `handled`: events that have ended already. */
async function writeOutcomes(
  { database, now }: JobContext,
  attended: readonly Attended[],
  handled: ReadonlySet<string> = new Set(),
): Promise<void> {
  const at = now();
  for (const outcome of ['handled', 'ignored'] as const) {
    const ids = attended
      .flatMap((one) => (one.outcome === outcome ? one.events.map(({ id }) => id) : []))
      .filter((id) => !handled.has(id));
    if (ids.length > 0) await database.statement((em) => endEvents(em, ids, { outcome, at }));
  }
  const failed = attended.filter(({ outcome }) => outcome instanceof Error);
  if (failed.length > 0) await database.transaction((em) => writeFailures(em, failed, at));
}

async function writeFailures(em: EntityManager, attended: readonly Attended[], at: Date): Promise<void> {
  for (const { events, outcome } of attended) {
    if (!(outcome instanceof Error)) continue;
    for (const event of events) {
      const last = outcome instanceof NonRetryableError || event.attempts + 1 >= maxEventAttempts;
      const error = classifyError(outcome).message;
      if (last) await abandon(em, event, { error, at });
      else await putOffEvent(em, event, { error, at });
    }
  }
}

/** What an event says of a transfer may be said only once: a person has to look. */
async function abandon(
  em: EntityManager,
  event: StripeEvent,
  { error, at }: { error: string; at: Date },
): Promise<void> {
  await endEvents(em, [event.id], { outcome: 'abandoned', error, at });
  const transfer = event.paymentIntentId ? await findTransferByIntent(em, event.paymentIntentId) : null;
  if (!transfer) return;
  const details = `${event.type}: ${error}`;
  await openCase(em, { transferId: transfer.id, reason: 'contradiction', details, at });
}

/** Returns whether the events, which are about one thing, are about something of ours. */
async function apply(context: JobContext, events: readonly StripeEvent[], { known, holds }: Batch): Promise<boolean> {
  const { paymentIntentId, onrampSessionId } = events[0] as StripeEvent;
  const transfer = paymentIntentId ? (known?.transfer ?? (await transferOf(context, paymentIntentId))) : null;
  const state = transfer?.state ?? 'awaiting_payment';
  // A declined attempt leaves a payment that waits for a card as it is; it is noted below.
  const isOpen = state === 'awaiting_payment';
  const saysMore = ({ type }: StripeEvent) => !isKnown(type, state) && !(type === declinedEvent && isOpen);
  if (transfer && events.some(saysMore)) {
    // What the events were taken with is older than a refund that another reading is just writing down.
    const hasRefund = events.some(({ type }) => isRefundEvent(type)) || known?.hasRefund;
    const eventIds = events.every(({ type }) => isAboutHold(type)) ? events.map(({ id }) => id) : [];
    await syncReadPayment(context, transfer, { holds, eventIds, hasRefund });
  }
  if (transfer && events.some(({ type }) => type.startsWith('charge.dispute.'))) {
    await syncDisputes(context, transfer.id);
  }
  if (transfer && events.some(({ type }) => isFraudWarning(type))) await syncFraudWarnings(context, transfer.id);
  if (transfer && events.some(({ type }) => isReviewEvent(type))) await syncCardRisk(context, transfer.id);
  if (transfer && paymentIntentId && events.some(({ type }) => type === declinedEvent)) {
    await stopDeclinedPayment(context, transfer, paymentIntentId);
  }
  const orderId = onrampSessionId ? await cryptoOrderOf(context, onrampSessionId) : null;
  if (orderId) await syncCryptoOrder(context, orderId);
  return transfer != null || orderId != null;
}

/** Events after which nothing is left to do once the payment is held. */
const isAboutHold = (type: string): boolean =>
  ['payment_intent.created', 'payment_intent.amount_capturable_updated', 'charge.succeeded'].includes(type);

/** Events that say themselves that there is a refund: one that failed leaves no trace in the charge. */
const isRefundEvent = (type: string): boolean => type.startsWith('refund.') || type.startsWith('charge.refund');

/** The transfer a payment intent belongs to, or null. If the api died between making the intent and noting it, it is noted now. */
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
