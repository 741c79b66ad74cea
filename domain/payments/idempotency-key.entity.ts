import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A repeatable POST: the client's key, the hash of its input, and its result. */
export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_key',
  properties: {
    userId: p.uuid().primary(),
    key: p.text().primary(),
    /** SHA-256 of route and parsed input: the same key with other input is a conflict. */
    inputHash: p.text(),
    /** The transfer that the first request opened. */
    transferId: p.uuid(),
    createdAt: p.datetime().index(),
  },
});
export type IdempotencyKey = InferEntity<typeof IdempotencyKey>;
