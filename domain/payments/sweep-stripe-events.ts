import type { Stripe } from 'stripe';
import type { JobContext } from '../jobs/job-context.ts';
import { findStoredEvents, onrampSessionOf, paymentIntentOf, storeStripeEvent } from './stripe-event.repository.ts';

/** Maximum page size of Stripe. */
const pageSize = 100;
/** Maximum pages per sweep, so that after a long outage one sweep does not run into the next ones. */
const maxPages = 50;
/** How far back to list undelivered events, in seconds; the transfers' sweep covers older ones. */
const lookBackS = 3600;

/**
 * Stores events that Stripe could not deliver. Reads every page, because Stripe lists the newest first and keeps
 * listing undelivered ones, so the first page alone would stay the same at each sweep. Stored events, handled or not,
 * are not changed.
 */
export async function sweepStripeEvents(context: JobContext): Promise<void> {
  const now = context.now();
  const created = { gte: Math.floor(now.getTime() / 1000) - lookBackS };
  let after: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
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
  context.log.warn({ read: maxPages * pageSize }, 'Stripe has more undelivered events than one sweep reads');
}

async function storeNew(context: JobContext, events: readonly Stripe.Event[], at: Date): Promise<void> {
  const ours = events.filter((event) => paymentIntentOf(event) ?? onrampSessionOf(event));
  const ids = ours.map(({ id }) => id);
  const stored = await findStoredEvents(context.database.fork(), ids);
  const missing = ours.filter(({ id }) => !stored.has(id));
  // One transaction per event: the webhook may store some of them concurrently, in another order.
  for (const event of missing) await context.database.transaction((em) => storeStripeEvent(em, event, at));
}
