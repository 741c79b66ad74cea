import { z } from 'zod';
import { deliveryErrors, deliveryStatuses, webhookEventTypes } from '../../webhooks/events.ts';
import { fieldSentences } from '../field-problems.ts';
import { line } from '../text.ts';
import { adminRoutes } from './admin-routes.ts';
import { endpoint } from './endpoint.ts';
import { id, pageOf, pageQuery, timestamp } from './values.ts';

const eventType = z.enum(webhookEventTypes);
const events = z.array(eventType).min(1).max(webhookEventTypes.length);
const description = line(80);

/** Where a partner is sent events. Its secret is answered once, when it is made. */
export const webhookView = z.object({
  id,
  url: z.string(),
  description: z.string(),
  events: z.array(eventType),
  enabled: z.boolean(),
  /** Who switched it off: an admin, or we because it took nothing for long. Null while it is on. */
  disabled_because: z.enum(['admin', 'failures']).nullable(),
  created_at: timestamp,
  created_by: z.string(),
  /** Until when the secret before the last one signs too. */
  previous_secret_until: timestamp.nullable(),
  /** The first attempt that failed since the last one that succeeded. */
  failing_since: timestamp.nullable(),
});
export type WebhookView = z.infer<typeof webhookView>;

export const deliveryView = z.object({
  id,
  event_id: z.string(),
  type: eventType,
  transfer_id: id,
  reference: z.string(),
  status: z.enum(deliveryStatuses),
  attempts: z.number().int(),
  response_status: z.number().int().nullable(),
  error: z.enum(deliveryErrors).nullable(),
  created_at: timestamp,
  last_attempt_at: timestamp.nullable(),
  next_attempt_at: timestamp.nullable(),
});
export type DeliveryView = z.infer<typeof deliveryView>;

/** Long addresses have no place on the screen. */
const url = z.string({ error: fieldSentences.webhook_url_malformed }).trim().min(1).max(500);
const withSecret = z.object({ webhook: webhookView, secret: z.string() });
const params = z.object({ id });

export const webhookEndpoints = {
  listWebhooks: endpoint({
    ...adminRoutes.listWebhooks,
    summary: 'Las direcciones a las que se avisa de los envíos; sin sus secretos',
    access: 'admin',
    response: z.object({ items: z.array(webhookView) }),
  }),
  createWebhook: endpoint({
    ...adminRoutes.createWebhook,
    summary: 'Añade una dirección; su secreto se responde esta única vez',
    access: 'admin',
    freshFactor: true,
    audit: 'webhook_created',
    body: z.object({ url, description, events }),
    response: withSecret,
  }),
  updateWebhook: endpoint({
    ...adminRoutes.updateWebhook,
    summary: 'Cambia qué se avisa a una dirección, o la apaga y la enciende; apagada, lo que esperaba ya no se envía',
    access: 'admin',
    freshFactor: true,
    audit: 'webhook_changed',
    params,
    body: z.object({ description, events, enabled: z.boolean() }),
    response: z.object({ webhook: webhookView }),
    failures: ['not_found'],
  }),
  rotateWebhookSecret: endpoint({
    ...adminRoutes.rotateWebhookSecret,
    summary: 'Hace un secreto nuevo; el anterior firma 24 horas más',
    access: 'admin',
    freshFactor: true,
    audit: 'webhook_secret_rotated',
    params,
    response: withSecret,
    failures: ['not_found'],
  }),
  webhookDeliveries: endpoint({
    ...adminRoutes.webhookDeliveries,
    summary: 'Lo que se envió a una dirección, lo más nuevo primero',
    access: 'admin',
    params,
    query: pageQuery,
    response: pageOf(deliveryView),
    failures: ['not_found'],
  }),
  resendDelivery: endpoint({
    ...adminRoutes.resendDelivery,
    summary: 'Envía otra vez un aviso, con el mismo número; también a una dirección apagada',
    access: 'admin',
    audit: 'webhook_resent',
    params,
    response: z.object({ delivery: deliveryView }),
    failures: ['not_found'],
  }),
};
