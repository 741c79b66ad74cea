import { minuteMs } from '#core/time/time';
import { addJob } from '#platform/outbox/outbox';
import type { JobContext } from '../job-context.ts';
import { findUnhandledEvents, onrampSessionOf, paymentIntentOf, storeStripeEvent } from './stripe-event.repository.ts';

/** Most events one sweep takes up; Stripe's largest page. */
const most = 100;
/** How far back undelivered events are asked for, in seconds; the transfers' own sweep covers what is older. */
const lookBackS = 3600;

/** Takes up events that Stripe could not deliver, and events that we stored but did not get to. */
export async function sweepStripeEvents(context: JobContext): Promise<void> {
  const now = context.now();
  const undelivered = await context.stripe.events.list({
    delivery_success: false,
    created: { gte: Math.floor(now.getTime() / 1000) - lookBackS },
    limit: most,
  });
  await context.database.transaction(async (em) => {
    for (const event of undelivered.data) {
      if (paymentIntentOf(event) ?? onrampSessionOf(event)) await storeStripeEvent(em, event, now);
    }
  });
  await context.database.transaction(async (em) => {
    const quietSince = new Date(now.getTime() - context.sweepEveryMs);
    const period = Math.floor(now.getTime() / Math.max(context.sweepEveryMs, minuteMs));
    for (const id of await findUnhandledEvents(em, quietSince, most)) {
      addJob(em, 'handle-stripe-event', { eventId: id }, { key: `handle-stripe-event-${id}-swept-${period}` });
    }
  });
}
