import { hourMs } from '#core/time/time';
import { addJob } from '#platform/outbox/outbox';
import type { JobContext } from '../jobs/job-context.ts';
import { sweepRound } from '../jobs/sweep-round.ts';
import { findOpenCryptoOrders } from './crypto-order.repository.ts';

/** Maximum purchases per sweep, least recently changed first. */
const most = 200;
/** A purchase that is unpaid after a week counts as abandoned and is not polled; a later webhook is still applied. */
const unpaidMs = 7 * 24 * hourMs;

/**
 * Queues another reading of unfinished purchases, in case a webhook was lost: one sweep interval after the last change,
 * then less and less often, finally once an hour.
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
