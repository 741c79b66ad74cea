import type { JobContext } from '../job-context.ts';
import { recordPauses } from './rate-pauses.ts';

/** Writes down which currencies' payments pause or go on, and tells admins and browsers. */
export async function watchRates(context: JobContext): Promise<void> {
  const moment = { now: context.now(), pauseAfterMs: context.pauseAfterMs };
  await context.database.transaction((em) => recordPauses(em, moment));
}
