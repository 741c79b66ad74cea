import type { JobContext } from '../job-context.ts';
import { askForDueOperations } from './due-operations.repository.ts';

/** Most operations one sweep asks for; the next one goes on where it ended, because an attempt moves the due moment. */
const most = 500;

/** Asks for operations whose moment has passed by more than a sweep interval: their job got lost, or its process died. */
export async function sweepOperations(context: JobContext): Promise<void> {
  const now = context.now();
  const dueBefore = new Date(now.getTime() - context.sweepEveryMs);
  const period = Math.floor(now.getTime() / context.sweepEveryMs);
  await context.database.transaction(async (em) => {
    const count = await askForDueOperations(em, { dueBefore, limit: most, period });
    if (count > 0) context.log.info({ count }, 'the sweep asked for operations that were due');
  });
}
