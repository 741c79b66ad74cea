import type { QueuePauseView } from '#core/contracts/http/queues';
import type { QueueName } from '#core/contracts/jobs';
import type { EntityManager } from '#platform/database/database';
import { addPush } from '#platform/outbox/outbox';
import { findUsersById } from '../accounts/account.repository.ts';
import { writeAudit } from '../audit/audit.repository.ts';
import { deleteQueuePause, findQueuePauses, insertQueuePause, type QueuePause } from './queue-pause.repository.ts';

/** The paused queues as admins see them, longest paused first. */
export async function viewQueuePauses(em: EntityManager): Promise<QueuePauseView[]> {
  const pauses = await findQueuePauses(em);
  const people = await findUsersById(em, [...new Set(pauses.map(({ pausedById }) => pausedById))]);
  const names = new Map(people.map(({ id, name }) => [id, name]));
  return pauses.map(({ queue, pausedAt, pausedById }) => ({
    ...{ queue, paused_at: pausedAt.toISOString() },
    ...{ paused_by: names.get(pausedById) ?? '', paused_by_id: pausedById },
  }));
}

/**
 * Pauses a queue, in the transaction of `em`: from its commit on, workers put the queue's jobs back. Does nothing if it
 * is already paused.
 */
export async function pauseQueue(
  em: EntityManager,
  { queue, personId, at }: { readonly queue: QueueName; readonly personId: string; readonly at: Date },
): Promise<void> {
  if (await insertQueuePause(em, { queue, pausedById: personId, pausedAt: at }))
    await record(em, queue, 'queue_paused');
}

/** Resumes a queue, in the transaction of `em`. Returns the ended pause, or null if it was not paused. */
export async function resumeQueue(em: EntityManager, queue: QueueName): Promise<QueuePause | null> {
  const pause = await deleteQueuePause(em, queue);
  if (pause) await record(em, queue, 'queue_resumed');
  return pause;
}

async function record(em: EntityManager, queue: QueueName, kind: 'queue_paused' | 'queue_resumed'): Promise<void> {
  addPush(em, 'queue-pauses-changed', {});
  await writeAudit(em, kind, { subject: queue });
}
