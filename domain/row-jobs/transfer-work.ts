import { Failure } from '#core/contracts/failures';
import { jobStates, maxTransferJobs, type WorkItem } from '#core/contracts/http/queues';
import { jobs, type QueueName, type RowJobName, rowJobId } from '#core/contracts/jobs';
import { openStatuses } from '#core/operations/operation';
import type { EntityManager } from '#platform/database/database';
import { answeredWithin } from '#platform/http/time-limit';
import type { RowTable } from '#platform/outbox/row-jobs';
import { emailRows } from '../emails/email.repository.ts';
import { stripeEventRows } from '../payments/stripe-event.repository.ts';
import { findOperations, operationRows } from '../provider-calls/operation.repository.ts';
import { screeningRows } from '../review/screening.repository.ts';
import { findTransfer } from '../transfers/transfer.repository.ts';
import { webPushRows } from '../web-pushes/web-push.repository.ts';
import { deliveryRows } from '../webhooks/delivery.repository.ts';

/** Tables with rows about transfers, and an indexed condition for those of one. `?`: the transfer's id. */
const sources: readonly { readonly table: RowTable; readonly where: string }[] = [
  { table: operationRows, where: 'transfer_id = ?' },
  { table: stripeEventRows, where: 'payment_intent_id = (select payment_intent_id from transfer where id = ?)' },
  { table: screeningRows, where: 'transfer_id = ?' },
  { table: emailRows, where: "data ->> 'transferId' = ?" },
  { table: webPushRows, where: 'transfer_id = ?' },
  { table: deliveryRows, where: 'transfer_id = ?' },
];

/** A job added for a row about a transfer. */
interface TransferJob {
  readonly name: RowJobName;
  readonly jobId: string;
}

/**
 * The jobs added for the rows about a transfer, latest first per row, so that the earliest are omitted beyond the
 * maximum. The queues may have removed some of them.
 */
async function findTransferJobs(em: EntityManager, transferId: string): Promise<TransferJob[]> {
  const rows: { job: RowJobName; id: string; dispatch: number }[] = [];
  for (const { table, where } of sources) {
    const { entity, key, jobSql } = table;
    rows.push(
      ...(await em.execute<typeof rows>(
        `select ${key} as id, dispatch, ${jobSql} as job from ${entity.meta.tableName} where ${where}
         order by next_attempt_at is null, ${key} limit ?`,
        [transferId, maxTransferJobs],
      )),
    );
  }
  const most = Math.max(0, ...rows.map(({ dispatch }) => dispatch));
  return Array.from({ length: most }, (_, back) =>
    rows
      .filter(({ dispatch }) => dispatch > back)
      .map(({ job: name, id, dispatch }) => ({ name, jobId: rowJobId(name, { id, dispatch: dispatch - back }) })),
  )
    .flat()
    .slice(0, maxTransferJobs);
}

/** The operations of a transfer as work items. */
async function viewOperations(em: EntityManager, transferId: string): Promise<WorkItem[]> {
  return (await findOperations(em, transferId)).map((one) => ({
    type: 'operation',
    ...{ id: one.id, kind: one.kind, sequence: one.sequence, status: one.status },
    ...{ attempts: one.attempts, error: one.lastError ?? null },
    added_at: one.createdAt.toISOString(),
    began_at: one.attemptStartedAt?.toISOString() ?? null,
    ended_at: openStatuses.includes(one.status) ? null : one.changedAt.toISOString(),
  }));
}

/** A job as stored in its queue; times in ms. */
export interface QueuedJob {
  readonly state: string;
  readonly attemptsMade: number;
  readonly timestamp: number;
  readonly processedOn?: number | undefined;
  readonly finishedOn?: number | undefined;
  readonly failedReason?: string | undefined;
}

/** Reads a job from its queue; null when the queue has removed it. @throws when the queue is unavailable. */
export type FindJob = (queue: QueueName, jobId: string) => Promise<QueuedJob | null>;

/**
 * The operations of a transfer, and its jobs still in the queues, in the order they were added. Only the operations if
 * the queues do not answer within `maxWaitMs`.
 * @throws Failure `not_found`.
 */
export async function viewTransferWork(
  em: EntityManager,
  transferId: string,
  { findJob, maxWaitMs }: { readonly findJob: FindJob; readonly maxWaitMs: number },
): Promise<{ items: WorkItem[]; queues_readable: boolean }> {
  if (!(await findTransfer(em, transferId))) throw new Failure('not_found');
  const operations = await viewOperations(em, transferId);
  const added = await findTransferJobs(em, transferId);
  const reading = Promise.all(added.map((one) => viewJob(one, findJob)));
  const found = await answeredWithin(maxWaitMs, reading).catch(() => null);
  const items = [...operations, ...(found ?? []).filter((item) => item !== null)];
  return {
    items: items.sort((one, other) => one.added_at.localeCompare(other.added_at)),
    queues_readable: found !== null,
  };
}

async function viewJob({ name, jobId }: TransferJob, findJob: FindJob): Promise<WorkItem | null> {
  const { queue } = jobs[name];
  const job = await findJob(queue, jobId);
  if (!job) return null;
  const isoOf = (ms: number | undefined) => (ms ? new Date(ms).toISOString() : null);
  return {
    type: 'job',
    ...{ id: jobId, name, queue, state: jobStates.find((state) => state === job.state) ?? 'unknown' },
    ...{ attempts: job.attemptsMade, error: job.failedReason || null },
    ...{ added_at: new Date(job.timestamp).toISOString(), began_at: isoOf(job.processedOn) },
    ended_at: isoOf(job.finishedOn),
  };
}
