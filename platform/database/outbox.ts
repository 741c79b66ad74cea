import type { z } from 'zod';
import { type JobData, type JobName, jobs } from '#core/contracts/jobs';
import { type PushName, pushes } from '#core/contracts/live';
import type { EntityManager } from './database.ts';
import { OutboxRow } from './schema/events.ts';

/** Asks for a job, within the transaction of `em`: it runs if and only if that commits. `runAt` delays it. */
export function addJob<Name extends JobName>(em: EntityManager, name: Name, data: JobData<Name>, runAt?: Date): void {
  add(em, 'job', name, jobs[name].data.parse(data), runAt);
}

/** Asks for a push to browsers, within the transaction of `em`. */
export function addPush<Name extends PushName>(
  em: EntityManager,
  name: Name,
  data: z.infer<(typeof pushes)[Name]>,
): void {
  add(em, 'push', name, pushes[name].parse(data));
}

function add(em: EntityManager, kind: 'job' | 'push', name: string, data: Record<string, unknown>, runAt?: Date): void {
  em.persist(em.create(OutboxRow, { kind, name, data, runAt: runAt ?? null, createdAt: new Date() }));
}
