import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A job or push that the transaction which wrote it wants to happen. The relay carries it out and deletes it. */
export const OutboxRow = defineEntity({
  name: 'OutboxRow',
  tableName: 'outbox',
  properties: {
    id: p.bigint().primary().autoincrement(),
    kind: p.enum(['job', 'push'] as const),
    name: p.text(),
    data: p.json<Record<string, unknown>>(),
    /** Jobs with the same key are one job for as long as the queue remembers it; used by the sweeps. */
    jobKey: p.text().nullable(),
    /** When the job may start; the queue keeps it until then. */
    runAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
});
export type OutboxRow = InferEntity<typeof OutboxRow>;

/** A verified Stripe event: written down when it comes, acted on at our own pace. */
export const StripeEvent = defineEntity({
  name: 'StripeEvent',
  tableName: 'stripe_event',
  properties: {
    id: p.text().primary(),
    type: p.text(),
    /** The payment intent it is about, when it is about one. */
    paymentIntentId: p.text().nullable(),
    /** The onramp session it is about, when it is about one. */
    onrampSessionId: p.text().nullable(),
    receivedAt: p.datetime(),
    handledAt: p.datetime().nullable(),
  },
  indexes: [{ name: 'stripe_event_handled_at_received_at', properties: ['handledAt', 'receivedAt'] }],
});
export type StripeEvent = InferEntity<typeof StripeEvent>;

/** An e-mail to a person with an account: what it says follows from its kind and data, and is written when it is sent. */
export const Mail = defineEntity({
  name: 'Mail',
  tableName: 'mail',
  properties: {
    id: p.uuid().primary(),
    key: p.text().unique(),
    userId: p.uuid(),
    kind: p.text(),
    data: p.json<Readonly<Record<string, unknown>>>(),
    createdAt: p.datetime(),
    sentAt: p.datetime().nullable(),
    /** The mail server refused it for good. */
    refusedAt: p.datetime().nullable(),
  },
});
export type Mail = InferEntity<typeof Mail>;
