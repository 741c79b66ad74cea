import { randomUUID } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import { deliveryMs, type WebhookEventType } from '#core/webhooks/events';
import type { EntityManager } from '#platform/database/database';
import { type Page, type PageQuery, pageOptions, toPage } from '#platform/database/pages';
import { ofNobodyHeld } from '../accounts/legal-hold.repository.ts';
import { WebhookDelivery, WebhookEndpoint } from './webhook.entity.ts';

export type { WebhookDelivery, WebhookEndpoint } from './webhook.entity.ts';

/** Lets one transaction at a time add endpoints, so that there are never more than there may be. */
export async function lockWebhooks(em: EntityManager): Promise<void> {
  await em.execute("select pg_advisory_xact_lock(hashtext('chasqui-webhooks'))");
}

/** Every endpoint, the newest first; there are few. */
export function findWebhooks(em: EntityManager): Promise<WebhookEndpoint[]> {
  return em.find(WebhookEndpoint, {}, { orderBy: { createdAt: 'desc', id: 'desc' } });
}

export async function insertWebhook(
  em: EntityManager,
  values: Pick<WebhookEndpoint, 'url' | 'description' | 'secret' | 'createdById'> & {
    readonly events: readonly WebhookEventType[];
    readonly at: Date;
  },
): Promise<WebhookEndpoint> {
  const { at, events, ...rest } = values;
  const webhook = em.create(WebhookEndpoint, { id: randomUUID(), ...rest, events: [...events], createdAt: at });
  await em.persist(webhook).flush();
  return webhook;
}

/** Locks an endpoint's row, in the transaction of `em`; null where there is none. */
export function lockWebhook(em: EntityManager, id: string): Promise<WebhookEndpoint | null> {
  return em.findOne(WebhookEndpoint, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}

export async function changeWebhook(
  em: EntityManager,
  webhook: WebhookEndpoint,
  changes: Partial<Omit<WebhookEndpoint, 'id'>>,
): Promise<WebhookEndpoint> {
  em.assign(webhook, changes);
  await em.flush();
  return webhook;
}

/** Ends what waits to be sent to an endpoint. */
export async function stopDeliveries(em: EntityManager, endpointId: string): Promise<void> {
  const where = { endpointId, status: 'pending' } as const;
  await em.nativeUpdate(WebhookDelivery, where, { status: 'stopped', nextAttemptAt: null });
}

/** A page of an endpoint's deliveries, the newest first. @throws Failure `invalid_input` for a foreign cursor. */
export async function findDeliveries(
  em: EntityManager,
  { endpointId, ...query }: PageQuery & { endpointId: string },
): Promise<Page<WebhookDelivery>> {
  const orderBy = { createdAt: 'desc', id: 'desc' } as const;
  return toPage(
    await em.findByCursor(WebhookDelivery, { where: { endpointId }, orderBy, ...pageOptions(query, 'created') }),
  );
}

/** Makes a delivery due once more, with the whole time for its attempts; null where there is none. */
export async function sendAgain(em: EntityManager, id: string, at: Date): Promise<WebhookDelivery | null> {
  const expiresAt = new Date(at.getTime() + deliveryMs);
  await em.nativeUpdate(WebhookDelivery, { id }, { status: 'pending', nextAttemptAt: at, expiresAt });
  return em.findOne(WebhookDelivery, { id }, { refresh: true });
}

/** Deletes deliveries that ended and were written before a moment. */
export async function deleteDeliveries(em: EntityManager, before: Date): Promise<void> {
  await em.nativeDelete(WebhookDelivery, {
    createdAt: { $lt: before },
    status: { $ne: 'pending' },
    ...ofNobodyHeld('transfer_id'),
  });
}
