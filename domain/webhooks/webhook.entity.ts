import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { deliveryErrors, deliveryStatuses, type WebhookEventType } from '#core/webhooks/events';

/** Where a partner is sent events. Only `domain/webhooks` changes it. */
export const WebhookEndpoint = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoint',
  properties: {
    id: p.uuid().primary(),
    url: p.text(),
    description: p.text(),
    events: p.array<WebhookEventType>(),
    /** As it signs, because nothing can be signed with a hash of it; shown once, when it is made. */
    secret: p.text().hidden(),
    /** The one before signs too, until then. */
    previousSecret: p.text().hidden().nullable(),
    previousSecretUntil: p.datetime().nullable(),
    createdAt: p.datetime(),
    createdById: p.uuid(),
    /** Null while it is sent events. */
    disabledAt: p.datetime().nullable(),
    disabledBecause: p.enum(['admin', 'failures'] as const).nullable(),
    /** The first attempt that failed since the last one that succeeded. */
    failingSince: p.datetime().nullable(),
  },
});
export type WebhookEndpoint = InferEntity<typeof WebhookEndpoint>;

/** One event for one endpoint: written with the move it tells of (step-events.ts), changed by what comes of its attempts. */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_delivery',
  properties: {
    id: p.uuid().primary(),
    endpointId: p.uuid(),
    /** The same for every endpoint and every attempt. */
    eventId: p.text(),
    eventType: p.text().$type<WebhookEventType>(),
    transferId: p.uuid(),
    /** As it was when the move was made. */
    body: p.json<Record<string, unknown>>(),
    createdAt: p.datetime(),
    /** Of the request that led to it. */
    requestId: p.text().nullable(),
    status: p.enum(deliveryStatuses),
    /** Jobs that were added for it; only the last one sends it. */
    dispatch: p.integer().default(1),
    attempts: p.integer(),
    /** When it is attempted next; null unless it is pending. */
    nextAttemptAt: p.datetime().nullable(),
    /** When its last attempt is. */
    expiresAt: p.datetime(),
    lastAttemptAt: p.datetime().nullable(),
    /** HTTP status of the last answer. */
    responseStatus: p.integer().nullable(),
    error: p.enum(deliveryErrors).nullable(),
  },
});
export type WebhookDelivery = InferEntity<typeof WebhookDelivery>;
