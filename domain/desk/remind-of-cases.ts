import { dayMs } from '#core/time/time';
import type { JobContext } from '../jobs/job-context.ts';
import { sweepEach } from '../jobs/sweep-each.ts';
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
  const old = await findCasesToRemind(context.database.fork(), { openedBefore, limit: most });
  await sweepEach(context, 'reminder of a case', old, ({ id, transferId, reason }) =>
    context.database.transaction(async (em) => {
      if (await markReminded(em, id, at)) await emailOldCase(em, { id, transferId, reason, at });
    }),
  );
}
