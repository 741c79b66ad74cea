import { randomUUID } from 'node:crypto';
import type { RowJobData } from '#core/contracts/jobs';
import { type DeliveryError, deliveryMs } from '#core/webhooks/events';
import type { EntityManager } from '#platform/database/database';
import { type Page, type PageQuery, pageOptions, toPage } from '#platform/database/pages';
import { beginAttempt, dispatchAgain, dispatchRow, type RowTable, type RunAgain } from '#platform/outbox/row-jobs';
import { currentRequestId } from '#platform/request-id';
import { notOnLegalHold } from '../accounts/legal-hold.repository.ts';
import { WebhookDelivery, WebhookEndpoint } from './webhook.entity.ts';
import { changeWebhook, lockWebhook } from './webhook.repository.ts';

export type { WebhookDelivery } from './webhook.entity.ts';

/** Deliveries as rows processed by jobs. */
export const deliveryRows: RowTable = {
  entity: WebhookDelivery,
  key: 'id',
  jobSql: "'deliver-event'",
  transferSql: 'transfer_id',
};

/**
 * Writes an event for every endpoint that subscribes to its type, in the transaction of `em`, and adds the jobs that
 * send it; once per endpoint and event.
 */
export async function addDeliveries(
  em: EntityManager,
  { at, ...event }: Pick<WebhookDelivery, 'eventId' | 'eventType' | 'transferId' | 'body'> & { at: Date },
): Promise<void> {
  const endpoints = await em.find(WebhookEndpoint, { disabledAt: null, events: { $contains: [event.eventType] } });
  for (const { id: endpointId } of endpoints) {
    const id = randomUUID();
    const { affectedRows } = await em
      .createQueryBuilder(WebhookDelivery)
      .insert({
        ...{ id, endpointId, ...event, createdAt: at, status: 'pending', attempts: 0, nextAttemptAt: at },
        ...{ expiresAt: new Date(at.getTime() + deliveryMs), requestId: currentRequestId() ?? null },
      })
      .onConflict(['endpointId', 'eventId'])
      .ignore()
      .execute();
    if (affectedRows > 0) dispatchRow(em, 'deliver-event', { id, dispatch: 1, transferId: event.transferId });
  }
}

/** The endpoint of a delivery, or null. */
export async function findEndpointIdOf(em: EntityManager, id: string): Promise<string | null> {
  return (await em.findOne(WebhookDelivery, { id }, { fields: ['endpointId'] }))?.endpointId ?? null;
}

/** A delivery to send, with its endpoint. */
export interface DueDelivery {
  readonly delivery: WebhookDelivery;
  readonly url: string;
  /** The signing secrets, newest first. */
  readonly secrets: readonly string[];
}

/**
 * Starts an attempt at a delivery for its job, in the transaction of `em`. Null when it ended or has a newer job; the
 * due time when it is not due yet.
 */
export async function beginDelivery(
  em: EntityManager,
  { id, dispatch }: RowJobData,
  now: Date,
): Promise<DueDelivery | { readonly early: RunAgain } | null> {
  const begun = await beginAttempt(em, WebhookDelivery, { id }, { dispatch, now });
  if (!begun || 'early' in begun) return begun;
  const delivery = begun.row;
  delivery.lastAttemptAt = now;
  const endpoint = await em.findOneOrFail(WebhookEndpoint, { id: delivery.endpointId });
  const { url, secret, previousSecret, previousSecretUntil } = endpoint;
  const isSignedTwice = previousSecret && previousSecretUntil && previousSecretUntil > now;
  return { delivery, url, secrets: isSignedTwice ? [secret, previousSecret] : [secret] };
}

/** The result of an attempt. */
export interface AttemptResult {
  readonly responseStatus: number | null;
  readonly error: DeliveryError | null;
  /** When it is retried; null when that is over, or not needed. */
  readonly nextAttemptAt: Date | null;
  readonly at: Date;
}

/**
 * Records the result of an attempt, and since when its endpoint fails, in the transaction of `em`. Returns the
 * endpoint, locked; null, with nothing written, when the delivery changed since the attempt started.
 */
export async function endDeliveryAttempt(
  em: EntityManager,
  { id, endpointId, dispatch, attempts }: WebhookDelivery,
  { responseStatus, error, nextAttemptAt, at }: AttemptResult,
): Promise<WebhookEndpoint | null> {
  // Locked first, as when disabling it, which ends its deliveries.
  const endpoint = await lockWebhook(em, endpointId);
  const status = error === null ? 'delivered' : nextAttemptAt ? 'pending' : 'failed';
  const changes = { status, responseStatus, error, nextAttemptAt } as const;
  const written = await em.nativeUpdate(WebhookDelivery, { id, dispatch, attempts, status: 'pending' }, changes);
  if (!endpoint || written === 0) return null;
  return changeWebhook(em, endpoint, { failingSince: error === null ? null : (endpoint.failingSince ?? at) });
}

/** Ends the pending deliveries of an endpoint. */
export async function stopDeliveries(em: EntityManager, endpointId: string): Promise<void> {
  const where = { endpointId, status: 'pending' } as const;
  await em.nativeUpdate(WebhookDelivery, where, { status: 'stopped', nextAttemptAt: null });
}

/** A page of an endpoint's deliveries, newest first. @throws Failure `invalid_input` for a foreign cursor. */
export async function findDeliveries(
  em: EntityManager,
  { endpointId, ...query }: PageQuery & { endpointId: string },
): Promise<Page<WebhookDelivery>> {
  const orderBy = { createdAt: 'desc', id: 'desc' } as const;
  return toPage(
    await em.findByCursor(WebhookDelivery, { where: { endpointId }, orderBy, ...pageOptions(query, 'created') }),
  );
}

/** Resends a delivery, with the full time for its attempts, in the transaction of `em`; null if not found. */
export async function sendAgain(em: EntityManager, id: string, at: Date): Promise<WebhookDelivery | null> {
  const expiresAt = new Date(at.getTime() + deliveryMs);
  await em.nativeUpdate(WebhookDelivery, { id }, { status: 'pending', nextAttemptAt: at, expiresAt });
  await dispatchAgain(em, deliveryRows, id, { at, now: at });
  return em.findOne(WebhookDelivery, { id }, { refresh: true });
}

/** Resends a failed delivery, in the transaction of `em`; false for any other. */
export async function retryDelivery(em: EntityManager, id: string, at: Date): Promise<boolean> {
  const hasFailed = (await em.count(WebhookDelivery, { id, status: 'failed' })) > 0;
  if (hasFailed) await sendAgain(em, id, at);
  return hasFailed;
}

/** Deletes deliveries that ended and were written before a moment. */
export async function deleteDeliveries(em: EntityManager, before: Date): Promise<void> {
  await em.nativeDelete(WebhookDelivery, {
    createdAt: { $lt: before },
    status: { $ne: 'pending' },
    ...notOnLegalHold('transfer_id'),
  });
}
