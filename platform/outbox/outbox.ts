import type { z } from 'zod';
import { type JobData, type JobName, jobs } from '#core/contracts/jobs';
import { type PushName, pushes } from '#core/contracts/live';
import type { EntityManager } from '../database/database.ts';
import { OutboxRow } from './outbox.entity.ts';

export type { OutboxRow } from './outbox.entity.ts';

const written = new WeakMap<EntityManager, Set<OutboxRow['kind']>>();

/** Kinds of rows that a transaction wrote; its process hands them over after the commit. */
export function kindsWritten(em: EntityManager): ReadonlySet<OutboxRow['kind']> {
  return written.get(em) ?? new Set();
}

function note(em: EntityManager, kind: OutboxRow['kind']): void {
  written.set(em, (written.get(em) ?? new Set()).add(kind));
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
  note(em, 'job');
  em.persist(
    em.create(OutboxRow, { kind: 'job', name, data: jobs[name].data.parse(data), ...row, createdAt: new Date() }),
  );
}

/** Asks for a push to browsers, within the transaction of `em`. */
export function addPush<Name extends PushName>(
  em: EntityManager,
  name: Name,
  data: z.infer<(typeof pushes)[Name]>,
): void {
  note(em, 'push');
  em.persist(em.create(OutboxRow, { kind: 'push', name, data: pushes[name].parse(data), createdAt: new Date() }));
}

/** Withdraws what was asked for about these things, in the transaction of `em`: demonstration data tell the past. */
export async function deleteOutboxOf(
  em: EntityManager,
  field: 'transferId' | 'operationId',
  ids: readonly string[],
): Promise<void> {
  await em.nativeDelete(OutboxRow, { data: { [field]: { $in: [...ids] } } });
}
