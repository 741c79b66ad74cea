import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

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
    /** Jobs that were added for it. */
    dispatch: p.integer(),
    /** Attempts that were begun. */
    attempts: p.integer(),
    /** When it is attempted next; null once it was handled. */
    nextAttemptAt: p.datetime().nullable(),
    /** Why the last attempt failed, for operators. */
    lastError: p.text().nullable(),
    /** When it ended, handled or not. */
    handledAt: p.datetime().nullable(),
    /** `ignored`: not about anything of ours. `abandoned`: every attempt failed. */
    outcome: p.enum(['handled', 'ignored', 'abandoned']).nullable(),
  },
});
export type StripeEvent = InferEntity<typeof StripeEvent>;
