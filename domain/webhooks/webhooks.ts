import { Failure } from '#core/contracts/failures';
import type { DeliveryView, WebhookView } from '#core/contracts/http/webhooks';
import { invalidInput } from '#core/contracts/invalid-input';
import { referenceOf } from '#core/transfers/reference';
import { maxEndpoints, overlapMs, type WebhookEventType } from '#core/webhooks/events';
import type { EntityManager } from '#platform/database/database';
import type { PageQuery } from '#platform/database/pages';
import { isAllowedUrl } from '#platform/http/post';
import { findUsersById } from '../accounts/account.repository.ts';
import { writeAudit } from '../audit/audit.repository.ts';
import { findDeliveries, sendAgain, stopDeliveries, type WebhookDelivery } from './delivery.repository.ts';
import { newSecret } from './sign.ts';
import {
  changeWebhook,
  findWebhooks,
  insertWebhook,
  lockWebhook,
  lockWebhooks,
  type WebhookEndpoint,
} from './webhook.repository.ts';

/** An endpoint with its secret, which is shown only once. */
interface WithSecret {
  readonly webhook: WebhookView;
  readonly secret: string;
}

/** Every endpoint, newest first. */
export async function listWebhooks(em: EntityManager, at: Date): Promise<WebhookView[]> {
  return toWebhookViews(em, await findWebhooks(em), at);
}

/**
 * Adds an endpoint, in the transaction of `em`. `anywhere`: also one that is not public, as in the sandbox.
 * @throws Failure `invalid_input` for a forbidden address, and at the maximum number of endpoints.
 */
export async function createWebhook(
  em: EntityManager,
  input: { url: string; description: string; events: readonly WebhookEventType[]; adminId: string; at: Date },
  { anywhere }: { anywhere: boolean },
): Promise<WithSecret> {
  const { url, description, events, adminId, at } = input;
  if (!isAllowedUrl(url, { anywhere })) throw invalidInput({ url: 'webhook_url_malformed' });
  await lockWebhooks(em);
  if ((await findWebhooks(em)).length >= maxEndpoints) throw invalidInput({ url: 'webhooks_too_many' });
  const secret = newSecret();
  const values = { url, description, events: [...new Set(events)], secret, createdById: adminId, at };
  const webhook = await insertWebhook(em, values);
  await writeAudit(em, 'webhook_created', { subject: webhook.id, detail: { events: values.events } });
  return { webhook: await viewOf(em, webhook, at), secret };
}

/**
 * Changes an endpoint's subscriptions, in the transaction of `em`; pending deliveries of a disabled one are not sent.
 * @throws Failure `not_found`.
 */
export async function updateWebhook(
  em: EntityManager,
  input: { id: string; description: string; events: readonly WebhookEventType[]; enabled: boolean; at: Date },
): Promise<WebhookView> {
  const { id, description, events, enabled, at } = input;
  const webhook = await lockWebhook(em, id);
  if (!webhook) throw new Failure('not_found');
  if (!enabled) await stopDeliveries(em, id);
  const off = { disabledAt: webhook.disabledAt ?? at, disabledBecause: webhook.disabledBecause ?? ('admin' as const) };
  const on = { disabledAt: null, disabledBecause: null, ...(webhook.disabledAt && { failingSince: null }) };
  const changes = { description, events: [...new Set(events)], ...(enabled ? on : off) };
  await writeAudit(em, 'webhook_changed', { subject: id, detail: { events: changes.events, enabled } });
  return viewOf(em, await changeWebhook(em, webhook, changes), at);
}

/**
 * Creates a new secret, in the transaction of `em`; the previous one also signs for a day.
 * @throws Failure `not_found`.
 */
export async function rotateSecret(em: EntityManager, id: string, at: Date): Promise<WithSecret> {
  const webhook = await lockWebhook(em, id);
  if (!webhook) throw new Failure('not_found');
  const secret = newSecret();
  const previousSecretUntil = new Date(at.getTime() + overlapMs);
  const changes = { secret, previousSecret: webhook.secret, previousSecretUntil };
  await writeAudit(em, 'webhook_secret_rotated', { subject: id });
  return { webhook: await viewOf(em, await changeWebhook(em, webhook, changes), at), secret };
}

/** A page of an endpoint's deliveries, newest first. @throws Failure `invalid_input` for a foreign cursor. */
export async function listDeliveries(em: EntityManager, query: PageQuery & { endpointId: string }) {
  const { rows, nextCursor } = await findDeliveries(em, query);
  return { items: rows.map(toDeliveryView), nextCursor };
}

/** Resends an event, in the transaction of `em`. @throws Failure `not_found`. */
export async function resendDelivery(em: EntityManager, id: string, at: Date): Promise<DeliveryView> {
  const delivery = await sendAgain(em, id, at);
  if (!delivery) throw new Failure('not_found');
  await writeAudit(em, 'webhook_resent', { subject: delivery.endpointId, detail: { deliveryId: id } });
  return toDeliveryView(delivery);
}

async function viewOf(em: EntityManager, webhook: WebhookEndpoint, at: Date): Promise<WebhookView> {
  const [view] = await toWebhookViews(em, [webhook], at);
  if (!view) throw new Failure('not_found');
  return view;
}

async function toWebhookViews(
  em: EntityManager,
  webhooks: readonly WebhookEndpoint[],
  at: Date,
): Promise<WebhookView[]> {
  const people = await findUsersById(em, [...new Set(webhooks.map(({ createdById }) => createdById))]);
  const names = new Map(people.map((person) => [person.id, person.name]));
  return webhooks.map((webhook) => ({
    ...{ id: webhook.id, url: webhook.url, description: webhook.description, events: [...webhook.events] },
    ...{ enabled: !webhook.disabledAt, disabled_because: webhook.disabledBecause ?? null },
    ...{ created_at: webhook.createdAt.toISOString(), created_by: names.get(webhook.createdById) ?? '' },
    previous_secret_until:
      webhook.previousSecretUntil && webhook.previousSecretUntil > at
        ? webhook.previousSecretUntil.toISOString()
        : null,
    failing_since: webhook.failingSince?.toISOString() ?? null,
  }));
}

function toDeliveryView(delivery: WebhookDelivery): DeliveryView {
  const { id, eventId, eventType, transferId, status, attempts } = delivery;
  return {
    ...{ id, event_id: eventId, type: eventType, transfer_id: transferId, reference: referenceOf(transferId) },
    ...{ status, attempts, response_status: delivery.responseStatus ?? null, error: delivery.error ?? null },
    created_at: delivery.createdAt.toISOString(),
    last_attempt_at: delivery.lastAttemptAt?.toISOString() ?? null,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
  };
}
