import type { Stripe } from 'stripe';
import type { EntityManager } from '#platform/database/database';
import { addJob } from '#platform/outbox/outbox';

/** The payment intent a Stripe event is about, or null when it is about something we do not follow. */
export function paymentIntentOf(event: Stripe.Event): string | null {
  const subject = event.data.object as { object?: string; id?: string; payment_intent?: unknown };
  if (subject.object === 'payment_intent') return subject.id ?? null;
  return typeof subject.payment_intent === 'string' ? subject.payment_intent : null;
}

/** The onramp session a Stripe event is about, or null. */
export function onrampSessionOf(event: Stripe.Event): string | null {
  const subject = event.data.object as { object?: string; id?: string };
  return subject.object === 'crypto.onramp_session' ? (subject.id ?? null) : null;
}

/**
 * Writes a verified event down and asks for its handling, in the transaction of `em`. The same event again is written and
 * asked for only once.
 */
export async function storeStripeEvent(em: EntityManager, event: Stripe.Event, at: Date): Promise<void> {
  const inserted = await em.execute(
    `insert into stripe_event (id, type, payment_intent_id, onramp_session_id, received_at) values (?, ?, ?, ?, ?)
     on conflict (id) do nothing returning id`,
    [event.id, event.type, paymentIntentOf(event), onrampSessionOf(event), at],
  );
  if (inserted.length > 0) addJob(em, 'handle-stripe-event', { eventId: event.id });
  await em.flush();
}
