import { addJob } from '#platform/outbox/outbox';
import type { JobContext } from '../jobs/job-context.ts';
import { sweepRound } from '../jobs/sweep-round.ts';
import { findWaitingFor, sweptJobs } from '../transfers/transfer.repository.ts';
import { findOpenIntents } from './open-intents.ts';

/** Most transfers one sweep takes up per job; those that stand still longest first. */
const most = 500;

/**
 * Asks again for the next step of every transfer that stands still: one sweep interval after its last change, so that the normal path is
 * not raced, then ever more rarely, and once an hour in the end. Those are readings that may get lost, and deadlines, which nothing else asks
 * for; transfer.repository.ts says which transfers wait for each. Effects on the outside have a sweep of their own: row-jobs/lost-jobs.ts.
 */
export async function sweepTransfers(context: JobContext): Promise<void> {
  const now = context.now();
  const quietSince = new Date(now.getTime() - context.sweepEveryMs);
  for (const job of sweptJobs) {
    const waiting = await findWaitingFor(context.database.fork(), job, { now, quietSince, limit: most });
    const open = job === 'sync-payment' ? await findOpenIntents(context, waiting) : new Set();
    const due = waiting.filter(({ paymentIntentId }) => !open.has(paymentIntentId));
    if (due.length === 0) continue;
    await context.database.transaction(async (em) => {
      for (const { id, since } of due) {
        const round = sweepRound({ since, now, sweepEveryMs: context.sweepEveryMs });
        addJob(em, job, { transferId: id }, { key: `${job}-${id}-swept-${round}` });
      }
    });
    context.log.info({ job, count: due.length }, 'the sweep asked again');
  }
}
