import { randomUUID } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import type { RowJobData } from '#core/contracts/jobs';
import type { Locale } from '#core/locale/locale';
import { retryDelayMs } from '#core/operations/operation';
import { dayMs } from '#core/time/time';
import type { EntityManager } from '#platform/database/database';
import { beginAttempt, dispatchAgain, dispatchRow, type RowTable, type RunAgain } from '#platform/outbox/row-jobs';
import { currentRequestId } from '#platform/request-id';
import { lockUser } from '../accounts/account.repository.ts';
import { notOnLegalHold } from '../accounts/legal-hold.repository.ts';
import type { Subscription } from './push-service.ts';
import { PushSubscription, WebPush } from './web-push.entity.ts';

export type { WebPush } from './web-push.entity.ts';

/** Maximum subscribed browsers per user; the oldest are dropped. */
export const maxSubscriptions = 10;

/** How long a notification is worth sending, in ms; after that its news is stale. */
export const worthSendingMs = dayMs;

/** Notifications as rows processed by jobs. */
export const webPushRows: RowTable = {
  entity: WebPush,
  key: 'id',
  jobSql: "'send-web-push'",
  transferSql: 'transfer_id',
};

/** The subscription of a session; null: notifications are off. */
export function findSubscription(em: EntityManager, sessionId: string): Promise<PushSubscription | null> {
  return em.findOne(PushSubscription, { sessionId });
}

/**
 * Stores a browser's subscription for as long as its session is open, in the transaction of `em`. A browser has one
 * subscription, owned by the user who last turned it on there; an earlier one is deleted with its pending
 * notifications. Idempotent.
 */
export async function keepSubscription(
  em: EntityManager,
  { userId, sessionId, at, ...browser }: Subscription & { userId: string; sessionId: string; at: Date },
): Promise<PushSubscription> {
  // Closing the account and concurrent subscriptions wait for this transaction or have finished.
  await lockUser(em, userId);
  // Serializes two users who subscribe in the same browser.
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [browser.endpoint]);
  const known = await em.findOne(PushSubscription, { userId, sessionId, ...browser });
  if (known) return known;
  await em.nativeDelete(PushSubscription, { $or: [{ sessionId }, { endpoint: browser.endpoint }] });
  const kept = em.create(PushSubscription, { id: randomUUID(), userId, sessionId, ...browser, createdAt: at });
  await em.persist(kept).flush();
  await em.execute(
    `delete from push_subscription where id in (
       select id from push_subscription where user_id = ? order by created_at desc, id desc offset ${maxSubscriptions}
     )`,
    [userId],
  );
  return kept;
}

/** Deletes the subscription of a session with its pending notifications. */
export async function removeSubscription(em: EntityManager, sessionId: string): Promise<void> {
  await em.nativeDelete(PushSubscription, { sessionId });
}

/**
 * Writes a notification for every browser of a user, in the transaction of `em`, and adds the jobs that send them; once
 * per version of the transfer.
 */
export async function addWebPushes(
  em: EntityManager,
  {
    userId,
    version,
    at,
    ...push
  }: Pick<WebPush, 'transferId' | 'kind'> & { userId: string; version: number; at: Date },
): Promise<void> {
  // Locked, so that a browser that is being removed is not found, instead of disappearing when its notification is
  // written.
  const browsers = await em.find(PushSubscription, { userId }, { lockMode: LockMode.PESSIMISTIC_READ });
  for (const { id: subscriptionId } of browsers) {
    const id = randomUUID();
    const key = `${push.transferId}-${version}-${subscriptionId}`;
    const { affectedRows } = await em
      .createQueryBuilder(WebPush)
      .insert({
        ...{ id, key, subscriptionId, ...push, createdAt: at, attempts: 0, nextAttemptAt: at },
        requestId: currentRequestId() ?? null,
      })
      .onConflict('key')
      .ignore()
      .execute();
    if (affectedRows > 0) dispatchRow(em, 'send-web-push', { id, dispatch: 1, transferId: push.transferId });
  }
}

/** A notification to send, and its browser. */
export interface DueWebPush {
  readonly push: WebPush;
  readonly browser: Subscription;
  readonly locale: Locale;
  /** Whether it is still relevant: the session is open, and the news was not read elsewhere. */
  readonly wanted: boolean;
}

/**
 * Starts an attempt to send a notification for its job, in the transaction of `em`. Null when it was sent or given up,
 * or has a newer job; the due time when it is not due yet.
 */
export async function beginWebPush(
  em: EntityManager,
  { id, dispatch }: RowJobData,
  now: Date,
): Promise<DueWebPush | { readonly early: RunAgain } | null> {
  const begun = await beginAttempt(em, WebPush, { id }, { dispatch, now });
  if (!begun || 'early' in begun) return begun;
  const push = begun.row;
  // Both are deleted with the notification, whose row is locked.
  const [{ locale, wanted, ...browser }] = await em.execute<[Subscription & Pick<DueWebPush, 'locale' | 'wanted'>]>(
    `select s.endpoint, s.p256dh, s.auth, u.locale,
       o.ended_at is null and o.expires_at > ? and u.news_read_until < ? as wanted
     from push_subscription as s join session as o on o.id = s.session_id join app_user as u on u.id = s.user_id
     where s.id = ?`,
    [now, push.createdAt, push.subscriptionId],
  );
  return { push, browser, locale, wanted };
}

/** Resends a notification that was given up, in the transaction of `em`; false when it was sent, or is still to be. */
export async function retryWebPush(em: EntityManager, id: string, at: Date): Promise<boolean> {
  const changed = await em.nativeUpdate(
    WebPush,
    { id, sentAt: null, nextAttemptAt: null },
    { nextAttemptAt: at, attempts: 0 },
  );
  if (changed > 0) await dispatchAgain(em, webPushRows, id, { at, now: at });
  return changed > 0;
}

/** The result of an attempt: sent, not to be sent any more, to be retried, or the browser is gone. */
export type WebPushOutcome =
  | { readonly result: 'sent' | 'dropped' | 'gone' }
  | { readonly result: 'refused' | 'failed'; readonly error: string };

/**
 * Records the result of an attempt, in the transaction of `em`. A failed one is due again by the retry policy, as long
 * as it is worth sending; a browser that is gone is removed. Returns the due time, or null after the last attempt;
 * undefined, with nothing written, when the notification changed since the attempt started.
 */
export async function endWebPushAttempt(
  em: EntityManager,
  { id, subscriptionId, dispatch, attempts, createdAt }: WebPush,
  outcome: WebPushOutcome,
  at: Date,
): Promise<Date | null | undefined> {
  // Locked first, as when removing it: its notifications are deleted with it.
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const subscription = await em.findOne(PushSubscription, { id: subscriptionId }, { lockMode });
  if (!subscription) return undefined;
  if (outcome.result === 'gone') {
    await em.remove(subscription).flush();
    return null;
  }
  const next = new Date(at.getTime() + retryDelayMs(attempts));
  const isRepeated = outcome.result === 'failed' && next.getTime() - createdAt.getTime() <= worthSendingMs;
  const nextAttemptAt = isRepeated ? next : null;
  const isSent = outcome.result === 'sent';
  const written = await em.nativeUpdate(
    WebPush,
    { id, dispatch, attempts },
    { nextAttemptAt, ...(isSent && { sentAt: at }) },
  );
  if (written === 0) return undefined;
  if (outcome.result !== 'dropped') {
    subscription.lastError = 'error' in outcome ? outcome.error : null;
    if (isSent) subscription.lastSentAt = at;
    await em.flush();
  }
  return nextAttemptAt;
}

/** Deletes notifications written before a moment. */
export async function deleteWebPushes(em: EntityManager, before: Date): Promise<void> {
  await em.nativeDelete(WebPush, { createdAt: { $lt: before }, ...notOnLegalHold('transfer_id') });
}
