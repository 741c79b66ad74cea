import { dayMs } from '#core/time/time';
import type { JobContext } from '../jobs/job-context.ts';
import { emailOldCase } from './case-emails.ts';
import { findCasesToRemind, markReminded } from './desk-case.repository.ts';

/** How long a case may stay open before admins are reminded, in ms. */
const oldMs = dayMs;
/** Maximum cases per sweep. */
const most = 100;

/** Reminds admins of cases that have been open for a day; once per case. */
export async function remindOfCases(context: JobContext): Promise<void> {
  const at = context.now();
  const openedBefore = new Date(at.getTime() - oldMs);
  await context.database.transaction(async (em) => {
    for (const { id, transferId, reason } of await findCasesToRemind(em, { openedBefore, limit: most })) {
      await emailOldCase(em, { id, transferId, reason, at });
      await markReminded(em, id, at);
    }
  });
}
