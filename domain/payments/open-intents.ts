import { paymentFact } from '#core/operations/reducer';
import { minuteMs } from '#core/time/time';
import type { JobContext } from '../jobs/job-context.ts';

/** Intents in one answer of Stripe: its largest page. */
const pageSize = 100;
/** Most pages that one sweep reads, the newest intents first. */
const maxPages = 10;
/** How much Stripe's clock may be behind ours. */
const clockMarginMs = 5 * minuteMs;

/**
 * Which payment intents of transfers still wait for a card, as lists of Stripe's say: a page of them costs one request, and there is nothing to
 * read of such a payment. Where Stripe does not list them, or does not answer, they are read one by one.
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
