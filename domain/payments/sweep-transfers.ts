import { addJob } from '#platform/outbox/outbox';
import type { JobContext } from '../jobs/job-context.ts';
import { sweepRound } from '../jobs/sweep-round.ts';
import { findWaitingFor, sweptJobs } from '../transfers/transfer.repository.ts';
import { findOpenIntents } from './open-intents.ts';

/** Maximum transfers per sweep and job, least recently changed first. */
const most = 500;

/**
 * Requeues the next step of every transfer that has not changed: one sweep interval after its last change, so that it
 * does not race the normal path, then less and less often, finally once an hour. This covers readings that may get
 * lost, and deadlines, which nothing else queues; transfer.repository.ts has the transfers waiting for each. Operations
 * have a separate sweep: row-jobs/lost-jobs.ts.
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
    context.log.info({ job, count: due.length }, 'sweep requeued jobs');
  }
}
