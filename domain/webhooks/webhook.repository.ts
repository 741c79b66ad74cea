import { randomUUID } from 'node:crypto';
import type { WebhookEventType } from '#core/webhooks/events';
import type { EntityManager } from '#platform/database/database';
import { WebhookEndpoint } from './webhook.entity.ts';

export type { WebhookEndpoint } from './webhook.entity.ts';

/** Serializes transactions that add endpoints, to enforce their maximum. */
export async function lockWebhooks(em: EntityManager): Promise<void> {
  await em.execute("select pg_advisory_xact_lock(hashtext('chasqui-webhooks'))");
}

/** Every endpoint, newest first; there are few. */
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

/** Locks an endpoint's row, in the transaction of `em`; null if not found. */
export async function lockWebhook(em: EntityManager, id: string): Promise<WebhookEndpoint | null> {
  // Not `for update`: steps of transfers that write events for it would have to wait.
  await em.execute('select from webhook_endpoint where id = ? for no key update', [id]);
  return em.findOne(WebhookEndpoint, { id }, { refresh: true });
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
