import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A job or push that the transaction which wrote it wants to happen. The relay carries it out and deletes it. */
export const OutboxRow = defineEntity({
  name: 'OutboxRow',
  tableName: 'outbox',
  properties: {
    id: p.bigint().primary().autoincrement(),
    kind: p.enum(['job', 'push'] as const),
    name: p.text(),
    data: p.json<Record<string, unknown>>(),
    /** Jobs with the same key are one job for as long as the queue remembers it; used by the sweeps. */
    jobKey: p.text().nullable(),
    /** When the job may start; the queue keeps it until then. */
    runAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
});
export type OutboxRow = InferEntity<typeof OutboxRow>;
