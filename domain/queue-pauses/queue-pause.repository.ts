import type { QueueName } from '#core/contracts/jobs';
import type { EntityManager } from '#platform/database/database';
import { QueuePause } from './queue-pause.entity.ts';

export type { QueuePause } from './queue-pause.entity.ts';

/** Whether a queue is paused. */
export async function isQueuePaused(em: EntityManager, queue: QueueName): Promise<boolean> {
  return (await em.count(QueuePause, { queue })) > 0;
}

/** The paused queues, longest paused first. */
export function findQueuePauses(em: EntityManager): Promise<QueuePause[]> {
  return em.find(QueuePause, {}, { orderBy: { pausedAt: 'asc', queue: 'asc' } });
}

/** Pauses a queue, in the transaction of `em`; false if it was already paused. */
export async function insertQueuePause(
  em: EntityManager,
  pause: { readonly queue: QueueName; readonly pausedById: string; readonly pausedAt: Date },
): Promise<boolean> {
  const { affectedRows } = await em.createQueryBuilder(QueuePause).insert(pause).onConflict('queue').ignore().execute();
  return affectedRows > 0;
}

/** Resumes a queue, in the transaction of `em`. Returns the ended pause, or null if it was not paused. */
export async function deleteQueuePause(em: EntityManager, queue: QueueName): Promise<QueuePause | null> {
  const pause = await em.findOne(QueuePause, { queue });
  return (await em.nativeDelete(QueuePause, { queue })) > 0 ? pause : null;
}
