import type { JobContext } from '../job-context.ts';
import { askForDueOperations } from './due-operations.repository.ts';

/** Most operations one sweep asks for; the next one goes on where it ended, because an attempt moves the due moment. */
const most = 500;

/** Asks for operations whose moment has passed by a sweep interval, and ever more rarely: their job got lost, or its process died. */
export async function sweepOperations(context: JobContext): Promise<void> {
  const now = context.now();
  await context.database.transaction(async (em) => {
    const count = await askForDueOperations(em, { now, sweepEveryMs: context.sweepEveryMs, limit: most });
    if (count > 0) context.log.info({ count }, 'the sweep asked for operations that were due');
  });
}
