import type { Stripe } from 'stripe';
import type { RowJobData } from '#core/contracts/jobs';
import { retryDelayMs } from '#core/operations/operation';
import { type TransferState, transferStateNames } from '#core/transfers/states';
import type { EntityManager } from '#platform/database/database';
import { beginAttempt, dispatchAgain, dispatchRow, type RowTable, type RunAgain } from '#platform/outbox/row-jobs';
import { ofNobodyHeld } from '../accounts/legal-hold.repository.ts';
import { StripeEvent } from './stripe-event.entity.ts';

export type { StripeEvent } from './stripe-event.entity.ts';

/** The payment intent a Stripe event is about, or null when it is about something we do not follow. */
export function paymentIntentOf(event: Stripe.Event): string | null {
  const subject = event.data.object as { object?: string; id?: string; payment_intent?: unknown };
  if (subject.object === 'payment_intent') return subject.id ?? null;
  const { payment_intent: intent } = subject;
  return typeof intent === 'string' ? intent : ((intent as { id?: string } | null | undefined)?.id ?? null);
}

/** The onramp session a Stripe event is about, or null. */
export function onrampSessionOf(event: Stripe.Event): string | null {
  const subject = event.data.object as { object?: string; id?: string };
  return subject.object === 'crypto.onramp_session' ? (subject.id ?? null) : null;
}

/** Stripe's events as rows that jobs handle. */
export const stripeEventRows: RowTable = {
  entity: StripeEvent,
  key: 'id',
  jobSql: "'handle-stripe-event'",
  transferSql: '(select t.id from transfer as t where t.payment_intent_id = stripe_event.payment_intent_id)',
};

/**
 * How long (ms) an event waits before it is handled that only repeats what a request of ours, or another event of the same moment, is just
 * writing down. After that its transfer says so already, and the payment need not be read from Stripe again.
 */
export const echoDelayMs = 1_000;

/** Stripe's event for a card that holds the amount. */
const holdEvent = 'payment_intent.amount_capturable_updated';

const echoes: ReadonlySet<string> = new Set([
  // Answers to our requests.
  'payment_intent.created',
  'charge.captured',
  'payment_intent.succeeded',
  // Comes together with `holdEvent`.
  'charge.succeeded',
]);

/** Stores a verified event and adds its job, in the transaction of `em`. An event that is stored already is left as it is. */
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

/** Begins an attempt at an event for its job, in the transaction of `em`; see `beginAttempt`. */
export function beginStripeEvent(
  em: EntityManager,
  { id, dispatch }: RowJobData,
  now: Date,
): Promise<{ readonly row: StripeEvent } | { readonly early: RunAgain } | null> {
  return beginAttempt(em, StripeEvent, { id }, { dispatch, now });
}

/** Stripe's event for an attempt that the card's bank, or the person at 3-D Secure, declined. */
export const declinedEvent = 'payment_intent.payment_failed';

/** Whether an event is stored, and not handled yet, by which a payment is found to be held. */
export async function isHoldEventDue(em: EntityManager, paymentIntentId: string): Promise<boolean> {
  return (await em.count(StripeEvent, { paymentIntentId, type: holdEvent, handledAt: null })) > 0;
}

/** Which of these events are stored, handled or not. */
export async function findStoredEvents(em: EntityManager, ids: readonly string[]): Promise<Set<string>> {
  const events = await em.find(StripeEvent, { id: { $in: [...ids] } }, { fields: ['id'] });
  return new Set(events.map(({ id }) => id));
}

/**
 * In which states a transfer has what an event of a type hints at: it was read or answered before, and the payment need not be read again.
 * What happens to it later has events of its own.
 */
const chargedStates: readonly TransferState[] = ['captured', 'payout_failed', 'completed'];
const heldStates: readonly TransferState[] = ['in_review', 'approved', ...chargedStates];
const knownIn: Readonly<Record<string, readonly TransferState[]>> = {
  // Our own doing.
  'payment_intent.created': transferStateNames,
  // An attempt before the card was held; the amount is not held by it.
  'payment_intent.requires_action': ['awaiting_payment', ...heldStates],
  'charge.failed': ['awaiting_payment', ...heldStates],
  'charge.succeeded': heldStates,
  [holdEvent]: heldStates,
  'charge.captured': chargedStates,
  'payment_intent.succeeded': chargedStates,
  // Refunds and disputes, which change a charge too, have events of their own.
  'charge.updated': chargedStates,
};

/** Whether a transfer in this state has what an event of this type hints at. */
export function isKnown(type: string, state: TransferState): boolean {
  return knownIn[type]?.includes(state) ?? false;
}

/** An event as an attempt at it was begun. */
type BegunEvent = Pick<StripeEvent, 'id' | 'dispatch' | 'attempts'>;

/** An attempt that was overtaken by another one, or by another job, writes nothing. */
const asBegun = ({ id, dispatch, attempts }: BegunEvent) => ({ id, dispatch, attempts });

/** Writes how an event ended, unless another attempt was begun since. Returns whether it did. */
export async function endStripeEvent(
  em: EntityManager,
  event: BegunEvent,
  { outcome, error = null, at }: { outcome: NonNullable<StripeEvent['outcome']>; error?: string | null; at: Date },
): Promise<boolean> {
  const ended = { handledAt: at, outcome, lastError: error, nextAttemptAt: null };
  return (await em.nativeUpdate(StripeEvent, asBegun(event), ended)) > 0;
}

/** Puts an event off by the retry policy, unless another attempt was begun since. Returns until when. */
export async function putOffStripeEvent(
  em: EntityManager,
  event: BegunEvent,
  { error, at }: { error: string; at: Date },
): Promise<Date | null> {
  const nextAttemptAt = new Date(at.getTime() + retryDelayMs(event.attempts));
  const count = await em.nativeUpdate(StripeEvent, asBegun(event), { nextAttemptAt, lastError: error });
  return count > 0 ? nextAttemptAt : null;
}

/** Has an event that was given up handled again, in the transaction of `em`; false for any other. */
export async function retryStripeEvent(em: EntityManager, id: string, at: Date): Promise<boolean> {
  const changes = { outcome: null, handledAt: null, nextAttemptAt: at, attempts: 0 };
  const changed = await em.nativeUpdate(StripeEvent, { id, outcome: 'abandoned' }, changes);
  if (changed > 0) await dispatchAgain(em, stripeEventRows, id, { at, now: at });
  return changed > 0;
}

/** Deletes events that were handled before a moment. */
export async function deleteHandledEvents(em: EntityManager, before: Date): Promise<void> {
  await em.nativeDelete(StripeEvent, { handledAt: { $lt: before }, ...ofNobodyHeld('stripe_event') });
}
