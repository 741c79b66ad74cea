import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { StepNews } from '#core/notifications/news';

/** A browser subscribed to notifications. It belongs to a session and ends with it. */
export const PushSubscription = defineEntity({
  name: 'PushSubscription',
  tableName: 'push_subscription',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    sessionId: p.uuid().unique(),
    /** URL of the browser's push service; anyone who knows it can reach the browser. */
    endpoint: p.text().unique().hidden(),
    /** Encryption data, base64url: the browser's public key, and a secret. */
    p256dh: p.text().hidden(),
    auth: p.text().hidden(),
    createdAt: p.datetime(),
    lastSentAt: p.datetime().nullable(),
    /** Error of the last message; null if it was sent. */
    lastError: p.text().nullable(),
  },
  indexes: [{ name: 'push_subscription_user_id_created_at', properties: ['userId', 'createdAt'] }],
});
export type PushSubscription = InferEntity<typeof PushSubscription>;

/**
 * A notification of a step for one browser: written with the step (step-web-pushes.ts), changed by the result of
 * sending it.
 */
export const WebPush = defineEntity({
  name: 'WebPush',
  tableName: 'web_push',
  properties: {
    id: p.uuid().primary(),
    key: p.text().unique(),
    subscriptionId: p.uuid().index('web_push_subscription_id'),
    transferId: p.uuid().index('web_push_transfer_id'),
    kind: p.text().$type<StepNews>(),
    createdAt: p.datetime().index('web_push_created_at'),
    /** The request that caused it. */
    requestId: p.text().nullable(),
    /** Number of jobs added for it; only the last one sends it. */
    dispatch: p.integer().default(1),
    attempts: p.integer(),
    /** When sending, or a retry, is due; null once it was sent or given up. */
    nextAttemptAt: p.datetime().nullable(),
    sentAt: p.datetime().nullable(),
  },
  indexes: [
    {
      name: 'web_push_next_attempt_at',
      expression:
        'create index web_push_next_attempt_at on web_push (next_attempt_at) where next_attempt_at is not null',
    },
  ],
});
export type WebPush = InferEntity<typeof WebPush>;
