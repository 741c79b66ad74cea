import type { JobContext } from '../jobs/job-context.ts';
import { sweepEach } from '../jobs/sweep-each.ts';
import { lockTransfer } from '../transfers/transfer.repository.ts';
import { closeSettledCases, findTransfersWithCases } from './desk-case.repository.ts';

/**
 * Closes cases opened concurrently with the move that settles them. Checks transfers changed since the sweep before the last.
 */
export async function closeMissedCases(context: JobContext): Promise<void> {
  const at = context.now();
  const changedSince = new Date(at.getTime() - 2 * context.sweepEveryMs);
  const ids = await findTransfersWithCases(context.database.fork(), changedSince);
  await sweepEach(
    context,
    'cases of a transfer',
    ids.map((id) => ({ id })),
    ({ id }) =>
      context.database.transaction(async (em) => {
        const transfer = await lockTransfer(em, id);
        if (transfer) await closeSettledCases(em, transfer, { at });
      }),
  );
}
