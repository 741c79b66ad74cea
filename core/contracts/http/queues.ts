import { z } from 'zod';
import { operationKindNames, operationStatusNames } from '../../operations/operation.ts';
import { type QueueName, queueNames, type RowJobName, rowJobNames } from '../jobs.ts';
import { adminRoutes } from './admin-routes.ts';
import { endpoint } from './endpoint.ts';
import { id, timestamp } from './values.ts';

/** A queue whose jobs wait because a person paused it on the queue dashboard. */
export const queuePauseView = z.object({
  queue: z.enum(queueNames as [QueueName, ...QueueName[]]),
  paused_at: timestamp,
  paused_by: z.string(),
  paused_by_id: id,
});
export type QueuePauseView = z.infer<typeof queuePauseView>;

/** States of a job, as BullMQ names them. */
export const jobStates = [
  'waiting',
  'active',
  'delayed',
  'prioritized',
  'waiting-children',
  'completed',
  'failed',
  'unknown',
] as const;

/** When something began and ended, and why it did not succeed. */
const run = {
  attempts: z.int(),
  /** Of an operation: when it was opened; of a job: when it was added. */
  added_at: timestamp,
  /** When the last attempt began; null before the first one. */
  began_at: timestamp.nullable(),
  /** Null while it is open. */
  ended_at: timestamp.nullable(),
  /** Why the last attempt did not succeed. */
  error: z.string().nullable(),
};

/** A step of the work on a transfer: an operation, or a job of a queue. */
export const workItem = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('operation'),
    id,
    kind: z.enum(operationKindNames),
    sequence: z.int(),
    status: z.enum(operationStatusNames),
    ...run,
  }),
  z.object({
    type: z.literal('job'),
    id: z.string(),
    name: z.enum(rowJobNames as [RowJobName, ...RowJobName[]]),
    queue: z.enum(queueNames as [QueueName, ...QueueName[]]),
    state: z.enum(jobStates),
    ...run,
  }),
]);
export type WorkItem = z.infer<typeof workItem>;

/** Jobs of a transfer that are looked up; older ones are left out. */
export const maxTransferJobs = 50;

/** What operators see of queues, apart from the queue dashboard. */
export const queueEndpoints = {
  queuePauses: endpoint({
    ...adminRoutes.queuePauses,
    summary: 'Las colas de trabajo en pausa, la más antigua primero',
    access: 'admin',
    response: z.object({ pauses: z.array(queuePauseView) }),
  }),
  transferWork: endpoint({
    ...adminRoutes.transferWork,
    summary: 'Las operaciones y los trabajos de un envío, en orden; los trabajos terminados se guardan un día',
    access: 'admin',
    params: z.object({ id }),
    response: z.object({
      items: z.array(workItem),
      /** False when the queues could not be read: then only operations are listed. */
      queues_readable: z.boolean(),
    }),
    failures: ['not_found'],
  }),
};
