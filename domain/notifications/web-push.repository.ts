import { randomUUID } from 'node:crypto';
import type { Locale } from '#core/locale/locale';
import { retryDelayMs } from '#core/operations/operation';
import { dayMs, minuteMs } from '#core/time/time';
import { type EntityManager, type PreparedStatement, runPrepared } from '#platform/database/database';
import { columnsOf, plainRow } from '#platform/database/plain-row';
import { lockUser } from '../accounts/account.repository.ts';
import { ofNobodyHeld } from '../accounts/legal-hold.repository.ts';
import type { Subscription } from './push-service.ts';
import { PushSubscription, WebPush } from './web-push.entity.ts';

export type { WebPush } from './web-push.entity.ts';

/** Browsers of one person that are notified: of more, the oldest go. */
export const subscriptionsMost = 10;

/** How long a notification is worth sending, in ms; later its news is stale. */
export const worthSendingMs = dayMs;

/** How long an attempt may take before another process may repeat it (ms): longer than its time limit. */
const leaseMs = minuteMs;

/** The subscription of a session; null: its browser wants no notifications. */
export function findSubscription(em: EntityManager, sessionId: string): Promise<PushSubscription | null> {
  return em.findOne(PushSubscription, { sessionId });
}

/**
 * Keeps a browser's subscription for as long as its session is open, in the transaction of `em`. A browser has one, and one belongs to the
 * person who turned it on last there: an earlier one goes, with what was to be sent to it. Keeping the same again changes nothing.
 */
export async function keepSubscription(
  em: EntityManager,
  { userId, sessionId, at, ...browser }: Subscription & { userId: string; sessionId: string; at: Date },
): Promise<PushSubscription> {
  // Closing the account, and turning on elsewhere, wait for this transaction or are over.
  await lockUser(em, userId);
  // Two people who turn it on in one browser at the same moment: one after the other.
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [browser.endpoint]);
  const known = await em.findOne(PushSubscription, { userId, sessionId, ...browser });
  if (known) return known;
  await em.nativeDelete(PushSubscription, { $or: [{ sessionId }, { endpoint: browser.endpoint }] });
  const kept = em.create(PushSubscription, { id: randomUUID(), userId, sessionId, ...browser, createdAt: at });
  await em.persist(kept).flush();
  await em.execute(
    `delete from push_subscription where id in (
       select id from push_subscription where user_id = ? order by created_at desc, id desc offset ${subscriptionsMost}
     )`,
    [userId],
  );
  return kept;
}

/** Forgets the subscription of a session, and what was to be sent to it. */
export async function removeSubscription(em: EntityManager, sessionId: string): Promise<void> {
  await em.nativeDelete(PushSubscription, { sessionId });
}

/** A notification that was taken to be sent, and its browser. */
export interface DueWebPush {
  readonly push: WebPush;
  readonly browser: Subscription;
  readonly locale: Locale;
  /** Whether somebody still waits for it: the session is open, and its person has not read the news meanwhile. */
  readonly wanted: boolean;
}

/** Takes notifications that are due and that nobody else is sending, those that wait longest first, with a commit of its own. */
export async function takeDueWebPushes(
  em: EntityManager,
  { now, limit }: { now: Date; limit: number },
): Promise<DueWebPush[]> {
  const values = [now, new Date(now.getTime() + leaseMs), limit];
  const rows = await runPrepared<Record<string, unknown>>(em, takeDue, values);
  return rows.map(({ endpoint, p256dh, auth, locale, wanted, ...row }) => ({
    push: plainRow(em, WebPush, row),
    browser: { endpoint, p256dh, auth } as Subscription,
    locale: locale as Locale,
    wanted: wanted as boolean,
  }));
}

const takeDue: PreparedStatement = {
  name: 'take-due-web-pushes',
  text: `
    with due as (select id from web_push where next_attempt_at <= $1 order by next_attempt_at limit $3 for update skip locked)
    update web_push as w set attempts = w.attempts + 1, next_attempt_at = $2
    from due, push_subscription as s, session as o, app_user as u
    where w.id = due.id and s.id = w.subscription_id and o.id = s.session_id and u.id = s.user_id
    returning ${columnsOf(WebPush, 'w')}, s.endpoint, s.p256dh, s.auth, u.locale,
      o.ended_at is null and o.expires_at > $1 and u.news_read_until < w.created_at as wanted`,
};

/** Whether notifications are due. */
export async function hasDueWebPushes(em: EntityManager, now: Date): Promise<boolean> {
  const [found] = await runPrepared<{ due: boolean }>(em, findDue, [now]);
  return found?.due ?? false;
}

const findDue: PreparedStatement = {
  name: 'find-due-web-pushes',
  text: 'select exists (select from web_push where next_attempt_at <= $1) as due',
};

/** What became of a notification: sent, not to be sent any more, to be tried again, or its browser is gone. */
export type WebPushOutcome =
  | { readonly result: 'sent' | 'dropped' | 'gone' }
  | { readonly result: 'refused' | 'failed'; readonly error: string };

/**
 * Writes down what became of a notification, with a commit of its own. What failed is due again by the retry policy, as long as it is worth
 * sending; a browser that is gone is forgotten.
 */
export async function writeWebPushOutcome(
  em: EntityManager,
  { id, subscriptionId, attempts, createdAt }: WebPush,
  outcome: WebPushOutcome,
  at: Date,
): Promise<void> {
  if (outcome.result === 'gone') {
    await em.nativeDelete(PushSubscription, { id: subscriptionId });
    return;
  }
  const next = new Date(at.getTime() + retryDelayMs(attempts));
  const isRepeated = outcome.result === 'failed' && next.getTime() - createdAt.getTime() <= worthSendingMs;
  const error = 'error' in outcome ? outcome.error : null;
  await runPrepared(em, writeOutcome, [id, attempts, outcome.result, isRepeated ? next : null, error, at]);
}

const writeOutcome: PreparedStatement = {
  name: 'write-web-push-outcome',
  text: `
    with written as (
      update web_push set next_attempt_at = $4::timestamptz, sent_at = case $3::text when 'sent' then $6::timestamptz end
      -- Not of an attempt that another process has begun anew.
      where id = $1 and attempts = $2 and sent_at is null returning subscription_id
    )
    update push_subscription as s set last_error = $5,
      last_sent_at = case $3::text when 'sent' then $6::timestamptz else s.last_sent_at end
    from written where s.id = written.subscription_id and $3::text <> 'dropped'`,
};

/** Deletes notifications written before a moment. */
export async function deleteWebPushes(em: EntityManager, before: Date): Promise<void> {
  await em.nativeDelete(WebPush, { createdAt: { $lt: before }, ...ofNobodyHeld('transfer_id') });
}
