import type { Stripe } from 'stripe';
import type { JobContext } from '../jobs/job-context.ts';
import { findStoredEvents, onrampSessionOf, paymentIntentOf, storeStripeEvent } from './stripe-event.repository.ts';

/** Events in one answer of Stripe: its largest page. */
const pageSize = 100;
/** Most pages that one sweep reads: without a bound, a long outage would make it read on into the next sweeps. */
const mostPages = 50;
/** How far back undelivered events are asked for, in seconds; the transfers' own sweep covers what is older. */
const lookBackS = 3600;

/**
 * Stores events that Stripe could not deliver. Reads every page, because Stripe lists the newest first and goes on listing what it did not
 * deliver: the newest page alone would be the same one at each sweep. Stored events, handled or not, are left as they are.
 */
export async function sweepStripeEvents(context: JobContext): Promise<void> {
  const now = context.now();
  const created = { gte: Math.floor(now.getTime() / 1000) - lookBackS };
  let after: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const { data, has_more } = await context.stripe.events.list({
      delivery_success: false,
      created,
      limit: pageSize,
      ...(after ? { starting_after: after } : {}),
    });
    await storeNew(context, data, now);
    after = data.at(-1)?.id;
    if (!has_more || !after) return;
  }
  context.log.warn({ read: mostPages * pageSize }, 'Stripe has more undelivered events than one sweep reads');
}

async function storeNew(context: JobContext, events: readonly Stripe.Event[], at: Date): Promise<void> {
  const ours = events.filter((event) => paymentIntentOf(event) ?? onrampSessionOf(event));
  const ids = ours.map(({ id }) => id);
  const stored = await findStoredEvents(context.database.fork(), ids);
  const missing = ours.filter(({ id }) => !stored.has(id));
  // A transaction each: the webhook stores some of them at the same time, in another order.
  for (const event of missing) await context.database.transaction((em) => storeStripeEvent(em, event, at));
}
