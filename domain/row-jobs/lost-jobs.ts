import { rowJobId } from '#core/contracts/jobs';
import { dispatchAgain, findOverdue, type RowTable } from '#platform/outbox/row-jobs';
import { emailRows } from '../emails/email.repository.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { sweepEach } from '../jobs/sweep-each.ts';
import { stripeEventRows } from '../payments/stripe-event.repository.ts';
import { operationRows } from '../provider-calls/operation.repository.ts';
import { nameCheckRows } from '../recipients/name-check.repository.ts';
import { screeningRows } from '../review/screening.repository.ts';
import { webPushRows } from '../web-pushes/web-push.repository.ts';
import { deliveryRows } from '../webhooks/delivery.repository.ts';

/** Every table whose rows are processed by jobs. */
const tables: readonly RowTable[] = [
  operationRows,
  stripeEventRows,
  screeningRows,
  nameCheckRows,
  emailRows,
  webPushRows,
  deliveryRows,
];

/** Rows read at once. */
const pageSize = 500;

/**
 * Requeues the jobs of rows that have been due for a sweep interval and that no queue knows, because Redis was emptied
 * or the job was deleted. A row that cannot be dispatched does not block the others.
 */
export async function sweepLostJobs(context: JobContext): Promise<void> {
  const { database, log } = context;
  const now = context.now();
  const lost: LostRow[] = [];
  for (const table of tables) if (!isUnconfigured(context, table)) lost.push(...(await findLost(context, table, now)));
  await sweepEach(context, 'lost job', lost, async ({ id, dispatch, job, table }) => {
    await database.transaction((em) => dispatchAgain(em, table, id, { at: now, now, onlyDispatch: dispatch }));
    log.warn({ job, id }, 'requeued a lost job');
  });
}

/**
 * Whether this installation lacks the configuration to send the table's rows. Their jobs would do nothing, so the rows
 * wait.
 */
function isUnconfigured({ mailer, push }: JobContext, table: RowTable): boolean {
  return (table === emailRows && !mailer) || (table === webPushRows && !push);
}

type LostRow = Awaited<ReturnType<typeof findOverdue>>[number] & { readonly table: RowTable };

/** Overdue rows of a table whose job no queue has. */
async function findLost({ database, queuedJobs, sweepEveryMs }: JobContext, table: RowTable, now: Date) {
  const dueBefore = new Date(now.getTime() - sweepEveryMs);
  const lost: LostRow[] = [];
  let after: string | null = null;
  do {
    const rows = await findOverdue(database.fork(), table, { dueBefore, after, limit: pageSize });
    for (const row of rows) if (!(await queuedJobs.has(row.job, rowJobId(row.job, row)))) lost.push({ ...row, table });
    after = rows.length === pageSize ? (rows.at(-1)?.id ?? null) : null;
  } while (after !== null);
  return lost;
}
