import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { deliveryErrors, deliveryStatuses, type WebhookEventType } from '#core/webhooks/events';

/** A partner's endpoint for events. Only `domain/webhooks` changes it. */
export const WebhookEndpoint = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoint',
  properties: {
    id: p.uuid().primary(),
    url: p.text(),
    description: p.text(),
    events: p.array<WebhookEventType>(),
    /** Stored in full, because a hash cannot sign; shown once, when it is created. */
    secret: p.text().hidden(),
    /** The previous secret also signs until then. */
    previousSecret: p.text().hidden().nullable(),
    previousSecretUntil: p.datetime().nullable(),
    createdAt: p.datetime(),
    createdById: p.uuid(),
    /** Null while it is enabled. */
    disabledAt: p.datetime().nullable(),
    disabledBecause: p.enum(['admin', 'failures'] as const).nullable(),
    /** The first failed attempt since the last successful one. */
    failingSince: p.datetime().nullable(),
  },
});
export type WebhookEndpoint = InferEntity<typeof WebhookEndpoint>;

/** An event for one endpoint: written with its move (step-events.ts), changed by the results of its attempts. */
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
    /** As of the move. */
    body: p.json<Record<string, unknown>>(),
    createdAt: p.datetime(),
    /** The request that caused it. */
    requestId: p.text().nullable(),
    status: p.enum(deliveryStatuses),
    /** Number of jobs added for it; only the last one sends it. */
    dispatch: p.integer().default(1),
    attempts: p.integer(),
    /** When the next attempt is due; null unless it is pending. */
    nextAttemptAt: p.datetime().nullable(),
    /** When its last attempt is due. */
    expiresAt: p.datetime(),
    lastAttemptAt: p.datetime().nullable(),
    /** HTTP status of the last answer. */
    responseStatus: p.integer().nullable(),
    error: p.enum(deliveryErrors).nullable(),
  },
});
export type WebhookDelivery = InferEntity<typeof WebhookDelivery>;
