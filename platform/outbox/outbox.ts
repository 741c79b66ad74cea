import type { z } from 'zod';
import { type JobData, type JobName, jobs } from '#core/contracts/jobs';
import { type PushName, pushes } from '#core/contracts/live';
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
  const traceparent = currentTraceparent();
  const data = { ...(requestId && { requestId }), ...(traceparent && { traceparent }), ...row.data };
  const created = em.create(OutboxRow, { ...row, data, createdAt: new Date() });
  em.persist(created);
  written.set(em, [...rowsWritten(em), created]);
}

/** Withdraws the jobs and pushes about some transfers, in the transaction of `em`: demonstration data tell the past. */
export async function deleteOutboxOf(em: EntityManager, transferIds: readonly string[]): Promise<void> {
  await em.flush();
  await em.nativeDelete(OutboxRow, { data: { transferId: { $in: [...transferIds] } } });
  written.set(
    em,
    rowsWritten(em).filter(({ data }) => !transferIds.includes(String(data.transferId))),
  );
}
