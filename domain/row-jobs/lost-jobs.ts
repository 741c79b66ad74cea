import { rowJobId } from '#core/contracts/jobs';
import { dispatchAgain, findOverdue, type RowTable } from '#platform/outbox/row-jobs';
import { emailRows } from '../emails/email.repository.ts';
import type { JobContext } from '../jobs/job-context.ts';
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
  for (const table of tables) if (!isUnconfigured(context, table)) await sweepTable(context, table);
}

/**
 * Whether this installation lacks the configuration to send the table's rows. Their jobs would do nothing, so the rows
 * wait.
 */
function isUnconfigured({ mailer, push }: JobContext, table: RowTable): boolean {
  return (table === emailRows && !mailer) || (table === webPushRows && !push);
}

async function sweepTable(context: JobContext, table: RowTable): Promise<void> {
  const { database, queuedJobs, sweepEveryMs, log } = context;
  const now = context.now();
  const dueBefore = new Date(now.getTime() - sweepEveryMs);
  let after: string | null = null;
  do {
    const rows = await findOverdue(database.fork(), table, { dueBefore, after, limit: pageSize });
    for (const { id, dispatch, job } of rows) {
      if (await queuedJobs.has(job, rowJobId(job, { id, dispatch }))) continue;
      log.warn({ job, id }, 'requeued a lost job');
      await database
        .transaction((em) => dispatchAgain(em, table, id, { at: now, now, onlyDispatch: dispatch }))
        .catch((error: unknown) => log.error({ err: error, job, id }, 'could not requeue a lost job'));
    }
    after = rows.length === pageSize ? (rows.at(-1)?.id ?? null) : null;
  } while (after !== null);
}
