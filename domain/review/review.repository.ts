import type { EntityManager } from '#platform/database/database';
import { addPush } from '#platform/outbox/outbox';
import { NameClearance, Review } from './review.entity.ts';

export type { Review } from './review.entity.ts';

/** The reviews of transfers; those that nothing was done about yet are left out. */
export function findReviews(em: EntityManager, transferIds: readonly string[]): Promise<Review[]> {
  return em.find(Review, { transferId: { $in: [...transferIds] } }, { refresh: true });
}

/** The review of a transfer as the database has it now, or null. */
export function findReview(em: EntityManager, transferId: string): Promise<Review | null> {
  return em.findOne(Review, { transferId }, { refresh: true });
}

/** Changes a review, in the transaction of `em` that has the lock of its transfer's row, and tells admins. */
export async function changeReview(
  em: EntityManager,
  { transferId, version }: Review,
  changes: Partial<
    Pick<Review, 'screeningStatus' | 'hits' | 'note' | 'notedById' | 'attempts' | 'nextAttemptAt' | 'checkedAt'>
  >,
): Promise<void> {
  await em.nativeUpdate(Review, { transferId }, { ...changes, version: version + 1 });
  addPush(em, 'review-changed', { transferId });
  await em.flush();
}

/** Remembers that somebody with this name is not the listed one. Whoever said so first stays written. */
export async function rememberClearance(
  em: EntityManager,
  clearance: Pick<
    NameClearance,
    'nameForm' | 'source' | 'sourceId' | 'transferId' | 'note' | 'clearedById' | 'clearedAt'
  >,
): Promise<void> {
  await em
    .createQueryBuilder(NameClearance)
    .insert(clearance)
    .onConflict(['nameForm', 'source', 'sourceId'])
    .ignore()
    .execute();
}
