import type { Pool } from 'pg';
import type { Stripe } from 'stripe';
import { retryDelayMs } from '#core/operations/operation';
import { minuteMs } from '#core/time/time';
import { type TransferState, transferStateNames } from '#core/transfers/states';
import { type EntityManager, lazilySql, type PreparedStatement, runPrepared } from '#platform/database/database';
import { columnsOf, plainRow } from '#platform/database/plain-row';
import { isGoneSql } from '#platform/database/presence';
import { addJob } from '#platform/outbox/outbox';
import { ofNobodyHeld } from '../accounts/legal-hold.repository.ts';
import { joinedTransferSql, type Transfer, takeJoined } from '../transfers/transfer.repository.ts';
import { StripeEvent } from './stripe-event.entity.ts';

export type { StripeEvent } from './stripe-event.entity.ts';

/** How long an event is taken for, in ms: handling it again changes nothing. */
export const eventLeaseMs = minuteMs;

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

/**
 * Writes a verified event down and asks for its handling, in the transaction of `em`. The same event again is written and
 * asked for only once.
 */
export async function storeStripeEvent(em: EntityManager, event: Stripe.Event, at: Date): Promise<void> {
  const inserted = await em
    .createQueryBuilder(StripeEvent)
    .insert({
      id: event.id,
      type: event.type,
      paymentIntentId: paymentIntentOf(event),
      onrampSessionId: onrampSessionOf(event),
      receivedAt: at,
      attempts: 0,
      nextAttemptAt: at,
    })
    .onConflict('id')
    .ignore()
    .returning('id')
    .execute('all');
  if (inserted.length > 0) addJob(em, 'handle-stripe-event', { eventId: event.id });
  await em.flush();
}

/** The order in which events are stored: of two transactions with the same ones one waits for the other, and never both. */
export function inOrderOfIds(events: readonly Stripe.Event[]): Stripe.Event[] {
  return events.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/**
 * Writes verified events down in one statement with a commit of its own; those that are stored already are left as they are. An
 * event that is not handled is its own request to be: `handle-due-stripe-events` takes it.
 */
export async function insertStripeEvents(pool: Pool, unsorted: readonly Stripe.Event[], at: Date): Promise<void> {
  const events = inOrderOfIds(unsorted);
  await pool.query({
    name: 'insert-stripe-events',
    text: `insert into stripe_event (id, type, payment_intent_id, onramp_session_id, received_at, attempts, next_attempt_at)
      select *, $5::timestamptz, 0, $5::timestamptz from unnest($1::text[], $2::text[], $3::text[], $4::text[])
      on conflict (id) do nothing`,
    values: [
      events.map(({ id }) => id),
      events.map(({ type }) => type),
      events.map(paymentIntentOf),
      events.map(onrampSessionOf),
      at,
    ],
  });
}

/** Stripe's event for an attempt that the card's bank, or the person at 3-D Secure, declined. */
export const declinedEvent = 'payment_intent.payment_failed';

/** Stripe's event for a card that holds the amount. */
const holdEvent = 'payment_intent.amount_capturable_updated';

/** Whether an event is stored, and not handled yet, by which a payment is found to be held. */
export async function isHoldEventDue(em: EntityManager, paymentIntentId: string): Promise<boolean> {
  return (await em.count(StripeEvent, { paymentIntentId, type: holdEvent, handledAt: null })) > 0;
}

/** Which of these events are stored, handled or not. */
export async function findStoredEvents(em: EntityManager, ids: readonly string[]): Promise<Set<string>> {
  const events = await em.find(StripeEvent, { id: { $in: [...ids] } }, { fields: ['id'] });
  return new Set(events.map(({ id }) => id));
}

/** An event that was not handled yet, or null. */
export function findUnhandledEvent(em: EntityManager, id: string): Promise<StripeEvent | null> {
  return em.findOne(StripeEvent, { id, handledAt: null });
}

/** Whether an event was due by a moment and is not handled. Those that a process had taken which is gone are due from now on. */
export async function hasDueEvents(em: EntityManager, dueBy: Date): Promise<boolean> {
  const [found] = await runPrepared<{ due: boolean }>(em, findDue, [dueBy]);
  return found?.due ?? false;
}

const findDue: PreparedStatement = {
  name: 'find-due-stripe-events',
  text: `
    with freed as (
      update stripe_event set next_attempt_at = $1, taken_by = null
      where handled_at is null and next_attempt_at > $1 and taken_by is not null and ${isGoneSql('taken_by')}
      returning id
    )
    select exists (select from freed) or exists (
      select from stripe_event where handled_at is null and next_attempt_at <= $1
    ) as due`,
};

/**
 * Takes events that are due and that nobody else is at, those that wait longest first, with a commit of its own. Those that say what their
 * transfer is already end with that. The others are due again after a lease, for a process that lives may not know what it has taken: the
 * database broke off between the commit and the answer. Those of a process that is gone are free at once. `more`: whether the limit
 * kept others from being taken. `early`: whether some were left for `earlyEventMs`.
 */
export async function takeDueEvents(
  em: EntityManager,
  { now, takenBy, limit }: { now: Date; takenBy: number; limit: number },
): Promise<{ taken: TakenEvent[]; more: boolean; early: boolean }> {
  const lease = new Date(now.getTime() + eventLeaseMs);
  const rows = await runPrepared<TakenRow>(em, takeDue, [now, lease, takenBy, limit]);
  const taken = rows
    .filter(({ id }) => id !== null)
    .map(({ has_refund: hasRefund, due_count: _, any_early: __, ...row }) => {
      const { transfer, rest } = takeJoined(em, row);
      return { event: plainRow(em, StripeEvent, rest), transfer, hasRefund };
    });
  return { taken, more: rows[0]?.due_count === limit, early: rows[0]?.any_early ?? false };
}

interface TakenRow {
  /** Null in the one row of a statement that took none. */
  id: string | null;
  has_refund: boolean;
  /** How many were due, with those that ended. */
  due_count: number;
  any_early: boolean;
}

/** An event that was taken, with the transfer of its payment where one is known, and whether a refund of that is written down. */
export interface TakenEvent {
  readonly event: StripeEvent;
  readonly transfer: Transfer | null;
  readonly hasRefund: boolean;
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

/**
 * How long (ms) an event waits, from its arrival, that has overtaken the answer to the very call it is about, which is just being written down:
 * what Stripe says of a capture that is under way, and of a payment intent that no transfer names yet. Then it says nothing new. Once this has
 * passed the payment is read, whether or not the answer came.
 */
export const earlyEventMs = 1_000;

/** What Stripe says of a capture. */
const capturedList = "'charge.captured', 'payment_intent.succeeded'";

const knownList = Object.entries(knownIn)
  .flatMap(([type, states]) => states.map((state) => `('${type}', '${state}')`))
  .join(', ');

const takeDue: PreparedStatement = {
  name: 'take-due-stripe-events',
  text: `
    with ${lazilySql},
    due as (
      select id, type, payment_intent_id, received_at from stripe_event where handled_at is null and next_attempt_at <= $1
      order by next_attempt_at limit $4 for update skip locked
    ),
    early as (
      select due.id from due join transfer as t on t.payment_intent_id = due.payment_intent_id
      where due.type in (${capturedList}) and due.received_at > $1 - interval '${earlyEventMs} ms' and t.state = 'approved'
        and exists (select from operation where transfer_id = t.id and kind = 'capture' and status = 'in_flight')
      union all
      select due.id from due
      where due.type = 'payment_intent.created' and due.received_at > $1 - interval '${earlyEventMs} ms'
        and not exists (select from transfer as t where t.payment_intent_id = due.payment_intent_id)
    ),
    left_early as (
      update stripe_event as e set next_attempt_at = e.received_at + interval '${earlyEventMs} ms' from early, lazily where e.id = early.id
    ),
    known as (
      select due.id from due join transfer as t on t.payment_intent_id = due.payment_intent_id
      where (due.type, t.state) in (${knownList})
    ),
    ended as (
      update stripe_event as e set handled_at = $1, outcome = 'handled' from known, lazily where e.id = known.id
    ),
    taken as (
      update stripe_event as e set next_attempt_at = $2, taken_by = $3 from due, lazily
      where e.id = due.id and e.id not in (select id from known union all select id from early)
      returning ${columnsOf(StripeEvent, 'e')}
    )
    select (select count(*)::int from due) as due_count, exists (select from early) as any_early, taken.*, ${joinedTransferSql},
      exists (select from operation where transfer_id = t.id and kind = 'refund') as has_refund
    from (values (true)) as one (row) left join taken on true
      left join transfer as t on t.payment_intent_id = taken.payment_intent_id`,
};

/** SQL: part of a `with` that ends the events which each transfer in `changed` asked for (`asked.eventIds`) as handled; $2: the moment. */
export const handledSql = `handled as (
    update stripe_event as e set handled_at = $2, outcome = 'handled'
    from changed cross join lateral jsonb_array_elements_text(changed.asked -> 'eventIds') as said (id) where e.id = said.id
  )`;

/** Notes how events ended. */
export async function endEvents(
  em: EntityManager,
  ids: readonly string[],
  end: { outcome: NonNullable<StripeEvent['outcome']>; error?: string; at: Date },
): Promise<void> {
  if (ids.length === 0) return;
  const { outcome, error = null, at } = end;
  await runPrepared(em, endThem, [ids, at, outcome, error]);
}

const endThem: PreparedStatement = {
  name: 'end-stripe-events',
  text: 'update stripe_event set handled_at = $2, outcome = $3, last_error = $4 where id = any ($1::text[])',
};

/** Puts an event off by the retry policy, in the transaction of `em`, and asks for it again. */
export async function putOffEvent(
  em: EntityManager,
  event: StripeEvent,
  { error, at }: { error: string; at: Date },
): Promise<void> {
  const attempts = event.attempts + 1;
  const nextAttemptAt = new Date(at.getTime() + retryDelayMs(attempts));
  await em.nativeUpdate(StripeEvent, { id: event.id }, { attempts, nextAttemptAt, takenBy: null, lastError: error });
  const key = `handle-stripe-event-${event.id}-${attempts}`;
  addJob(em, 'handle-stripe-event', { eventId: event.id }, { runAt: nextAttemptAt, key });
  await em.flush();
}

/** Deletes events that were handled before a moment. */
export async function deleteHandledEvents(em: EntityManager, before: Date): Promise<void> {
  await em.nativeDelete(StripeEvent, { handledAt: { $lt: before }, ...ofNobodyHeld('stripe_event') });
}
