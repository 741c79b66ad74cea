import type { EntityManager } from '#platform/database/database';
import { notOnLegalHold } from '../accounts/legal-hold.repository.ts';
import { IdempotencyKey } from './idempotency-key.entity.ts';

export type { IdempotencyKey } from './idempotency-key.entity.ts';

/** The input hash and result of a sender's earlier request with this key, or null. */
export function findIdempotencyKey(em: EntityManager, userId: string, key: string): Promise<IdempotencyKey | null> {
  return em.findOne(IdempotencyKey, { userId, key });
}

/** Stores the input hash and result of a request with a key, in the transaction of `em`. */
export async function storeIdempotencyKey(em: EntityManager, key: IdempotencyKey): Promise<void> {
  await em.persist(em.create(IdempotencyKey, key)).flush();
}

/** Deletes keys from before a moment. */
export async function deleteIdempotencyKeys(em: EntityManager, before: Date): Promise<void> {
  await em.nativeDelete(IdempotencyKey, { createdAt: { $lt: before }, ...notOnLegalHold() });
}
