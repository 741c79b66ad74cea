import { type EntitySchema, LockMode } from '@mikro-orm/core';
import { type RowJobName, rowJobId } from '#core/contracts/jobs';
import type { EntityManager } from '../database/database.ts';
import { addJob } from './outbox.ts';

/**
 * A row whose work is done by a job. `nextAttemptAt` is null once the work is done, so that the row, not the queue, is
 * the source of truth. `dispatch` counts the jobs added for it: only the last one does the work, the others end at
 * once.
 */
export interface DispatchedRow {
  dispatch: number;
  attempts: number;
  nextAttemptAt?: Date | null | undefined;
}

/** Wants the same job to run again at a moment. `error`: the attempt failed, and why; without one it only waits. */
export interface RunAgain {
  readonly at: Date;
  readonly error?: string;
}

/** What a handler returns: nothing when its job is over. */
export type JobResult = RunAgain | undefined;

/** Adds the job of a row, in the transaction of `em` that inserts the row or has just raised its `dispatch`. */
export function dispatchRow(
  em: EntityManager,
  job: RowJobName,
  { id, dispatch, transferId }: Dispatch,
  { runAt }: { readonly runAt?: Date } = {},
): void {
  const key = rowJobId(job, { id, dispatch });
  addJob(em, job, { id, dispatch, ...(transferId && { transferId }) }, runAt ? { key, runAt } : { key });
}

/** A row, how many jobs were added for it with this one, and the transfer that it is about, where it is about one. */
interface Dispatch {
  readonly id: string;
  readonly dispatch: number;
  readonly transferId?: string | null | undefined;
}

/** Tables whose rows are worked on by jobs. */
export interface RowTable {
  readonly entity: EntitySchema;
  /** The name of its primary key's column. */
  readonly key: string;
  /** SQL: the name of a row's job. */
  readonly jobSql: string;
  /** SQL: the id of the transfer that a row is about, or null. */
  readonly transferSql: string;
}

type Dispatched = Dispatch & { readonly job: RowJobName };

/**
 * Schedules a new job for an open row at `at`; a job still waiting for the row ends without doing anything. Does
 * nothing if the row is done or `onlyDispatch` was superseded. Runs in the transaction of `em`.
 */
export async function dispatchAgain(
  em: EntityManager,
  { entity, key, jobSql, transferSql }: RowTable,
  id: string,
  { at, now, onlyDispatch }: { readonly at: Date; readonly now: Date; readonly onlyDispatch?: number },
): Promise<void> {
  await em.flush();
  const [row] = await em.execute<Dispatched[]>(
    `update ${entity.meta.tableName} set dispatch = dispatch + 1, next_attempt_at = ?
     where ${key} = ? and next_attempt_at is not null and dispatch = coalesce(?::int, dispatch)
     returning ${key} as id, dispatch, ${jobSql} as job, ${transferSql} as "transferId"`,
    [at, id, onlyDispatch ?? null],
  );
  if (row) dispatchRow(em, row.job, row, at > now ? { runAt: at } : {});
}

/** Rows that have been due since before a moment, in the order of their keys after `after`. */
export async function findOverdue(
  em: EntityManager,
  { entity, key, jobSql }: RowTable,
  { dueBefore, after, limit }: { readonly dueBefore: Date; readonly after: string | null; readonly limit: number },
): Promise<Dispatched[]> {
  return em.execute<Dispatched[]>(
    `select ${key} as id, dispatch, ${jobSql} as job from ${entity.meta.tableName}
     where next_attempt_at <= ? and (?::text is null or ${key}::text > ?) order by ${key}::text limit ?`,
    [dueBefore, after, after, limit],
  );
}

/**
 * Begins an attempt at a row for its job, in the transaction of `em`, which keeps the row locked; the attempt is counted. Returns null when the
 * row is done or has a newer job, and when to come again where the job came too early.
 */
export async function beginAttempt<Row extends DispatchedRow>(
  em: EntityManager,
  entity: EntitySchema<Row>,
  where: Partial<Row>,
  { dispatch, now }: { readonly dispatch: number; readonly now: Date },
): Promise<{ readonly row: Row } | { readonly early: RunAgain } | null> {
  const row = await em.findOne(entity, where as never, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  const found = row as DispatchedRow | null;
  if (!found?.nextAttemptAt || found.dispatch !== dispatch) return null;
  if (found.nextAttemptAt > now) return { early: { at: found.nextAttemptAt } };
  found.attempts += 1;
  await em.flush();
  return { row: row as Row };
}
