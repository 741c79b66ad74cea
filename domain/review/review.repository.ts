import type { LastDay } from '#core/review/last-day';
import { type EntityManager, runSql } from '#platform/database/database';
import { type LastDayRow, lastDaySql, toLastDay } from '../transfers/last-day.ts';
import { findTransfer, type Transfer } from '../transfers/transfer.repository.ts';
import { NameClearance, Review } from './review.entity.ts';
import { openMissingScreening, pushReview } from './screening.repository.ts';

export type { Review } from './review.entity.ts';

/** The current review of a transfer, or null. */
export function findReview(em: EntityManager, transferId: string): Promise<Review | null> {
  return em.findOne(Review, { transferId }, { refresh: true });
}

/** The current transfer and review, and the transfers of 24 hours around it; null without the transfer. */
export async function findReviewed(
  em: EntityManager,
  transferId: string,
): Promise<{ transfer: Transfer; review: Review | null; lastDay: LastDay } | null> {
  const transfer = await findTransfer(em, transferId);
  if (!transfer) return null;
  const review = await findReview(em, transferId);
  const readLastDay = `select ${lastDaySql} as last_day from transfer as t where t.id = $1`;
  const [{ last_day: row }] = (await runSql(em, readLastDay, [transferId])) as [{ last_day: LastDayRow }];
  return { transfer, review, lastDay: toLastDay(row) };
}

/** Changes a review, in the transaction of `em`, which holds the lock of its transfer's row, and notifies admins. */
export async function changeReview(
  em: EntityManager,
  { transferId, version }: Review,
  changes: Partial<
    Pick<Review, 'screeningStatus' | 'hits' | 'note' | 'notedById' | 'attempts' | 'nextAttemptAt' | 'checkedAt'>
  >,
): Promise<void> {
  await em.nativeUpdate(Review, { transferId }, { ...changes, version: version + 1 });
  await pushReview(em, transferId);
}

/** Records that a person with this name is not the listed one. The first record is kept. */
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

/**
 * Claims a transfer for an admin until a moment, unless a colleague has it, or releases it with null, and notifies
 * admins. Returns whether anything was written. The transaction of `em` holds the lock of the transfer's row.
 */
export async function writeClaim(
  em: EntityManager,
  { transferId, adminId, until, at }: { transferId: string; adminId: string; until: Date | null; at: Date },
): Promise<boolean> {
  await openMissingScreening(em, transferId, { at });
  const rows = await em.execute<unknown[]>(
    `update review set claimed_by_id = case when ?::timestamptz is null then null else ?::uuid end, claimed_until = ?, version = version + 1
     where transfer_id = ? and case when ?::timestamptz is null then claimed_by_id = ?
       else claimed_by_id is null or claimed_by_id = ? or claimed_until <= ? end
     returning transfer_id`,
    [until, adminId, until, transferId, until, adminId, adminId, at],
  );
  if (rows.length > 0) await pushReview(em, transferId);
  return rows.length > 0;
}

/** Notifies admins of a change to the review information of a transfer. */
export async function bumpReviewVersion(em: EntityManager, transferId: string, at: Date): Promise<void> {
  await openMissingScreening(em, transferId, { at });
  await em.execute('update review set version = version + 1 where transfer_id = ?', [transferId]);
  await pushReview(em, transferId);
}

/** `bumpReviewVersion` for every transfer to a recipient that awaits a decision, in the transaction of `em`. */
export async function bumpReviewVersionsOf(em: EntityManager, recipientId: string, at: Date): Promise<void> {
  // The transfer is locked before its review, as by every change of a review.
  const waiting = await em.execute<{ id: string }[]>(
    `select id from transfer where state = 'in_review' and recipient_id = ? order by id for key share`,
    [recipientId],
  );
  for (const { id } of waiting) await bumpReviewVersion(em, id, at);
}
