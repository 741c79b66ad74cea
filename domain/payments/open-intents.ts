import { paymentFact } from '#core/operations/reducer';
import { minuteMs } from '#core/time/time';
import type { JobContext } from '../jobs/job-context.ts';

/** Maximum page size of Stripe. */
const pageSize = 100;
/** Maximum pages per sweep, newest intents first. */
const maxPages = 10;
/** Tolerance for Stripe's clock being behind ours, in ms. */
const clockMarginMs = 5 * minuteMs;

/**
 * The payment intents of transfers that still wait for a card, according to Stripe's lists: one request per page
 * replaces reading each of them. If Stripe does not list them, or does not answer, they are read one by one.
 */
export async function findOpenIntents(
  { stripe, log }: Pick<JobContext, 'stripe' | 'log'>,
  transfers: readonly { readonly createdAt: Date }[],
): Promise<Set<string | null>> {
  const open = new Set<string | null>();
  const [oldest] = transfers.map(({ createdAt }) => createdAt.getTime()).sort((one, other) => one - other);
  if (oldest === undefined) return open;
  const created = { gte: Math.floor((oldest - clockMarginMs) / 1000) };
  let after: string | undefined;
  try {
    for (let page = 0; page < maxPages; page += 1) {
      const params = { created, limit: pageSize, ...(after ? { starting_after: after } : {}) };
      const { data, has_more } = await stripe.paymentIntents.list(params);
      for (const { id, status, amount, amount_received: amountReceived } of data) {
        if (paymentFact({ status, amount, amountReceived }) === 'payment_open') open.add(id);
      }
      after = data.at(-1)?.id;
      if (!has_more || !after) break;
    }
  } catch (error) {
    log.warn({ err: error }, 'Stripe did not list the payments of a sweep');
  }
  return open;
}
