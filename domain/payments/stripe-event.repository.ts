import type { Stripe } from 'stripe';
import type { RowJobData } from '#core/contracts/jobs';
import { retryDelayMs } from '#core/operations/operation';
import { type TransferState, transferStateNames } from '#core/transfers/states';
import type { EntityManager } from '#platform/database/database';
import { beginAttempt, dispatchAgain, dispatchRow, type RowTable, type RunAgain } from '#platform/outbox/row-jobs';
import { notOnLegalHold } from '../accounts/legal-hold.repository.ts';
import { StripeEvent } from './stripe-event.entity.ts';

export type { StripeEvent } from './stripe-event.entity.ts';

/** The payment intent of a Stripe event, or null for events that we do not follow. */
export function paymentIntentOf(event: Stripe.Event): string | null {
  const subject = event.data.object as { object?: string; id?: string; payment_intent?: unknown };
  if (subject.object === 'payment_intent') return subject.id ?? null;
  const { payment_intent: intent } = subject;
  return typeof intent === 'string' ? intent : ((intent as { id?: string } | null | undefined)?.id ?? null);
}

/** The onramp session of a Stripe event, or null. */
export function onrampSessionOf(event: Stripe.Event): string | null {
  const subject = event.data.object as { object?: string; id?: string };
  return subject.object === 'crypto.onramp_session' ? (subject.id ?? null) : null;
}

/** Stripe's events as rows processed by jobs. */
export const stripeEventRows: RowTable = {
  entity: StripeEvent,
  key: 'id',
  jobSql: "'handle-stripe-event'",
  transferSql: '(select t.id from transfer as t where t.payment_intent_id = stripe_event.payment_intent_id)',
};

/**
 * Delay (ms) for an event that only echoes a request of ours, or another event of the same moment, which is just being
 * stored. After the delay its transfer has the news, and the payment need not be read from Stripe again.
 */
export const echoDelayMs = 1_000;

/** Stripe's event for an authorized card. */
const holdEvent = 'payment_intent.amount_capturable_updated';

const echoes: ReadonlySet<string> = new Set([
  // Responses to our requests.
  'payment_intent.created',
  'charge.captured',
  'payment_intent.succeeded',
  // Sent together with `holdEvent`.
  'charge.succeeded',
]);

/**
 * Stores a verified event and adds its job, in the transaction of `em`. An event that is already stored is not changed.
 */
export async function storeStripeEvent(em: EntityManager, event: Stripe.Event, at: Date): Promise<void> {
  const { id, type } = event;
  const dueAt = echoes.has(type) ? new Date(at.getTime() + echoDelayMs) : at;
  const [stored] = await em.execute<{ transferId: string | null }[]>(
    `insert into stripe_event (id, type, payment_intent_id, onramp_session_id, received_at, dispatch, attempts, next_attempt_at)
     values (?, ?, ?, ?, ?, 1, 0, ?) on conflict (id) do nothing
     returning ${stripeEventRows.transferSql} as "transferId"`,
    [id, type, paymentIntentOf(event), onrampSessionOf(event), at, dueAt],
  );
  const { transferId } = stored ?? {};
  if (stored)
    dispatchRow(em, 'handle-stripe-event', { id, dispatch: 1, transferId }, dueAt > at ? { runAt: dueAt } : {});
}

/** Starts an attempt at an event for its job, in the transaction of `em`; see `beginAttempt`. */
export function beginStripeEvent(
  em: EntityManager,
  { id, dispatch }: RowJobData,
  now: Date,
): Promise<{ readonly row: StripeEvent } | { readonly early: RunAgain } | null> {
  return beginAttempt(em, StripeEvent, { id }, { dispatch, now });
}

/** Stripe's event for an attempt declined by the card's bank, or by the person at 3-D Secure. */
export const declinedEvent = 'payment_intent.payment_failed';

/** Whether a stored, unhandled event reports that a payment is authorized. */
export async function isHoldEventDue(em: EntityManager, paymentIntentId: string): Promise<boolean> {
  return (await em.count(StripeEvent, { paymentIntentId, type: holdEvent, handledAt: null })) > 0;
}

/** Which of these events are stored, handled or not. */
export async function findStoredEvents(em: EntityManager, ids: readonly string[]): Promise<Set<string>> {
  const events = await em.find(StripeEvent, { id: { $in: [...ids] } }, { fields: ['id'] });
  return new Set(events.map(({ id }) => id));
}

/**
 * The transfer states that already include the news of an event type, so that the payment need not be read again. Later
 * changes have separate events.
 */
const chargedStates: readonly TransferState[] = ['captured', 'payout_failed', 'completed'];
const heldStates: readonly TransferState[] = ['in_review', 'approved', ...chargedStates];
const knownIn: Readonly<Record<string, readonly TransferState[]>> = {
  // Caused by our own requests.
  'payment_intent.created': transferStateNames,
  // An attempt before the authorization, which it does not change.
  'payment_intent.requires_action': ['awaiting_payment', ...heldStates],
  'charge.failed': ['awaiting_payment', ...heldStates],
  'charge.succeeded': heldStates,
  [holdEvent]: heldStates,
  'charge.captured': chargedStates,
  'payment_intent.succeeded': chargedStates,
  // Refunds and disputes, which change a charge too, have separate events.
  'charge.updated': chargedStates,
};

/** Whether a transfer in this state already includes the news of this event type. */
export function isKnown(type: string, state: TransferState): boolean {
  return knownIn[type]?.includes(state) ?? false;
}

/** The attempt at an event that a job started. */
type BegunEvent = Pick<StripeEvent, 'id' | 'dispatch' | 'attempts'>;

/** An attempt that was overtaken by another one, or by another job, writes nothing. */
const asBegun = ({ id, dispatch, attempts }: BegunEvent) => ({ id, dispatch, attempts });

/** Records the result of an event, unless another attempt has started since. Returns whether it did. */
export async function endStripeEvent(
  em: EntityManager,
  event: BegunEvent,
  { outcome, error = null, at }: { outcome: NonNullable<StripeEvent['outcome']>; error?: string | null; at: Date },
): Promise<boolean> {
  const ended = { handledAt: at, outcome, lastError: error, nextAttemptAt: null };
  return (await em.nativeUpdate(StripeEvent, asBegun(event), ended)) > 0;
}

/** Postpones an event by the retry policy, unless another attempt has started since. Returns until when. */
export async function putOffStripeEvent(
  em: EntityManager,
  event: BegunEvent,
  { error, at }: { error: string; at: Date },
): Promise<Date | null> {
  const nextAttemptAt = new Date(at.getTime() + retryDelayMs(event.attempts));
  const count = await em.nativeUpdate(StripeEvent, asBegun(event), { nextAttemptAt, lastError: error });
  return count > 0 ? nextAttemptAt : null;
}

/** Retries an event that was given up, in the transaction of `em`; false for any other. */
export async function retryStripeEvent(em: EntityManager, id: string, at: Date): Promise<boolean> {
  const changes = { outcome: null, handledAt: null, nextAttemptAt: at, attempts: 0 };
  const changed = await em.nativeUpdate(StripeEvent, { id, outcome: 'abandoned' }, changes);
  if (changed > 0) await dispatchAgain(em, stripeEventRows, id, { at, now: at });
  return changed > 0;
}

/** Deletes events handled before a moment. */
export async function deleteHandledEvents(em: EntityManager, before: Date): Promise<void> {
  await em.nativeDelete(StripeEvent, { handledAt: { $lt: before }, ...notOnLegalHold('stripe_event') });
}
