import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A verified Stripe event: stored on arrival and processed by a job. */
export const StripeEvent = defineEntity({
  name: 'StripeEvent',
  tableName: 'stripe_event',
  properties: {
    id: p.text().primary(),
    type: p.text(),
    /** Its payment intent, if any. */
    paymentIntentId: p.text().nullable(),
    /** Its onramp session, if any. */
    onrampSessionId: p.text().nullable(),
    receivedAt: p.datetime(),
    /** Number of jobs added for it. */
    dispatch: p.integer().default(1),
    /** Number of attempts started. */
    attempts: p.integer(),
    /** When the next attempt is due; null once it was handled. */
    nextAttemptAt: p.datetime().nullable(),
    /** The error of the last attempt, for operators. */
    lastError: p.text().nullable(),
    /** When it ended, handled or not. */
    handledAt: p.datetime().nullable(),
    /** `ignored`: does not concern our objects. `abandoned`: every attempt failed. */
    outcome: p.enum(['handled', 'ignored', 'abandoned']).nullable(),
  },
});
export type StripeEvent = InferEntity<typeof StripeEvent>;
