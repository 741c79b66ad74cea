import type { TransferJob } from '#core/contracts/jobs';
import { addJob } from '#platform/outbox/outbox';
import type { JobContext } from '../job-context.ts';
import { sweepRound } from '../sweep-round.ts';
import { findWaitingFor } from '../transfers/transfer.repository.ts';

/** Most transfers one sweep takes up per job; those that stand still longest first. */
const most = 500;

/**
 * Readings that may get lost, and deadlines, which nothing else asks for, in the order of a transfer's life;
 * transfer.repository.ts says which transfers wait for each. Effects on the outside have a sweep of their own: operations/sweep-operations.ts.
 */
const swept: readonly TransferJob[] = ['sync-payment', 'expire-payment', 'expire-authorization'];

/**
 * Asks again for the next step of every transfer that stands still: one sweep interval after its last change, so that the normal path is
 * not raced, then ever more rarely, and once an hour in the end.
 */
export async function sweepTransfers(context: JobContext): Promise<void> {
  const now = context.now();
  const quietSince = new Date(now.getTime() - context.sweepEveryMs);
  for (const job of swept) {
    await context.database.transaction(async (em) => {
      const transfers = await findWaitingFor(em, job, { now, quietSince, limit: most });
      for (const { id, since } of transfers) {
        const round = sweepRound({ since, now, sweepEveryMs: context.sweepEveryMs });
        addJob(em, job, { transferId: id }, { key: `${job}-${id}-swept-${round}` });
      }
      if (transfers.length > 0) context.log.info({ job, count: transfers.length }, 'the sweep asked again');
    });
  }
}
