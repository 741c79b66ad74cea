import { hourMs } from '#core/time/time';
import { addJob } from '#platform/outbox/outbox';
import type { JobContext } from '../jobs/job-context.ts';
import { sweepRound } from '../jobs/sweep-round.ts';
import { findOpenCryptoOrders } from './crypto-order.repository.ts';

/** Most purchases one sweep takes up; the oldest change first, the rest next time. */
const most = 200;
/** A purchase that is unpaid after a week counts as abandoned and is not asked for; a later webhook is still applied. */
const unpaidMs = 7 * 24 * hourMs;

/**
 * Asks to read again what stands still, for webhooks that got lost: one sweep interval after the last change, then ever more rarely, and
 * once an hour in the end.
 */
export async function sweepCryptoOrders(context: JobContext): Promise<void> {
  const now = context.now();
  const before = (ms: number) => new Date(now.getTime() - ms);
  await context.database.transaction(async (em) => {
    const orders = await findOpenCryptoOrders(em, {
      before: before(context.sweepEveryMs),
      unpaidSince: before(unpaidMs),
      limit: most,
    });
    for (const { id, changedAt } of orders) {
      const round = sweepRound({ since: changedAt, now, sweepEveryMs: context.sweepEveryMs });
      const key = `sync-crypto-order-${id}-swept-${round}`;
      addJob(em, 'sync-crypto-order', { orderId: id }, { key });
    }
  });
}
