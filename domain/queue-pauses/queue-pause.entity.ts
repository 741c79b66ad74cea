import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { QueueName } from '#core/contracts/jobs';

/** A queue whose jobs wait because a person paused it. The row, and not the queue, decides: an emptied Redis starts nothing. */
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
