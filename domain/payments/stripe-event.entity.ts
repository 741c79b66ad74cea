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
    handledAt: p.datetime().nullable(),
  },
  indexes: [
    { name: 'stripe_event_handled_at_received_at', properties: ['handledAt', 'receivedAt'] },
    { name: 'stripe_event_payment_intent_id_type', properties: ['paymentIntentId', 'type'] },
  ],
});
export type StripeEvent = InferEntity<typeof StripeEvent>;
