import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { QueueName } from '#core/contracts/jobs';

/** A queue paused by an admin. The row decides, not the queue, so that an emptied Redis does not resume it. */
export const QueuePause = defineEntity({
  name: 'QueuePause',
  tableName: 'queue_pause',
  properties: {
    queue: p.text().$type<QueueName>().primary(),
    pausedAt: p.datetime(),
    pausedById: p.uuid(),
  },
});
export type QueuePause = InferEntity<typeof QueuePause>;
