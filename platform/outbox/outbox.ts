import type { z } from 'zod';
import { type JobData, type JobName, jobs } from '#core/contracts/jobs';
import { type PushName, pushes, type ServerToServer } from '#core/contracts/live';
import type { EntityManager } from '../database/database.ts';
import { currentRequestId } from '../request-id.ts';
import { currentTraceparent } from '../telemetry/tracing.ts';
import { OutboxRow } from './outbox.entity.ts';

export type { OutboxRow } from './outbox.entity.ts';

const written = new WeakMap<EntityManager, OutboxRow[]>();

/** Rows that a transaction wrote and kept; its process hands them over after the commit. Their ids are known once it was flushed. */
export function rowsWritten(em: EntityManager): readonly OutboxRow[] {
  return written.get(em) ?? [];
}

/** Notes rows that a repository wrote by a statement of its own, in the transaction of `em`, with the trace they belong to. */
export function noteWritten(em: EntityManager, rows: readonly OutboxRow[]): void {
  const traceparent = currentTraceparent();
  // A statement wrote some of them already: should this process die, another one carries those without it.
  if (traceparent !== undefined) for (const row of rows) row.data = { traceparent, ...row.data };
  const noted = written.get(em);
  if (noted) noted.push(...rows);
  else written.set(em, [...rows]);
}

const due = new WeakMap<EntityManager, Set<DueName>>();

/** Rows that say themselves whether they are done, and need no outbox row; the names of their signals. Events of Stripe are signalled as they are stored. */
export type DueName = Exclude<keyof ServerToServer, 'stripe-events-due'>;

/** Notes that rows are due once the transaction of `em` commits: a signal tells who takes them, and may get lost. */
export function noteDue(em: EntityManager, name: DueName): void {
  due.set(em, (due.get(em) ?? new Set()).add(name));
}

/** What a transaction made due. */
export function dueNoted(em: EntityManager): ReadonlySet<DueName> {
  return due.get(em) ?? new Set();
}

/**
 * Asks for a job, within the transaction of `em`: it runs if and only if that commits. `runAt` delays it; jobs with the
 * same `key` are one job for as long as the queue remembers it (a day, or until a failed one is removed by hand).
 * @throws RangeError on a key that the queues do not take.
 */
export function addJob<Name extends JobName>(
  em: EntityManager,
  name: Name,
  data: JobData<Name>,
  options: { runAt?: Date; key?: string } = {},
): void {
  if (options.key !== undefined && !/^(?=.*\D)[^:]+$/.test(options.key)) {
    throw new RangeError('a job key holds no colon and is not a number: queues use those themselves');
  }
  const row = { runAt: options.runAt ?? null, jobKey: options.key ?? null };
  add(em, { kind: 'job', name, data: jobs[name].data.parse(data), ...row });
}

/** Asks for a push to browsers, within the transaction of `em`. */
export function addPush<Name extends PushName>(
  em: EntityManager,
  name: Name,
  data: z.infer<(typeof pushes)[Name]>,
): void {
  add(em, { kind: 'push', name, data: pushes[name].parse(data) });
}

function add(em: EntityManager, row: Pick<OutboxRow, 'kind' | 'name' | 'data'> & Partial<OutboxRow>): void {
  const requestId = currentRequestId();
  const data = requestId === undefined ? row.data : { ...row.data, requestId };
  const created = em.create(OutboxRow, { ...row, data, createdAt: new Date() });
  em.persist(created);
  noteWritten(em, [created]);
}

/** Withdraws what was asked for about these things, in the transaction of `em`: demonstration data tell the past. */
export async function deleteOutboxOf(
  em: EntityManager,
  field: 'transferId' | 'operationId',
  ids: readonly string[],
): Promise<void> {
  await em.nativeDelete(OutboxRow, { data: { [field]: { $in: [...ids] } } });
  written.set(
    em,
    rowsWritten(em).filter(({ data }) => !ids.includes(String(data[field]))),
  );
}
