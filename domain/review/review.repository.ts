import type { LastDay } from '#core/review/last-day';
import type { EntityManager } from '#platform/database/database';
import { addPush } from '#platform/outbox/outbox';
import { NameClearance, Review } from './review.entity.ts';

export type { Review } from './review.entity.ts';

/** The review of a transfer as the database has it now, or null. What is changed in it is not written. */
export async function findReview(em: EntityManager, transferId: string): Promise<Review | null> {
  const [row] = await runPrepared<Record<string, unknown>>(em, readByTransfer, [transferId]);
  return row ? plainRow(em, Review, row) : null;
}

const readByTransfer: PreparedStatement = {
  name: 'review-by-transfer',
  text: `select ${columnsOf(Review, 'r')} from review as r where r.transfer_id = $1`,
};

/**
 * A transfer and its review as they are now, the transfers of 24 hours around it, and what is published where a better rate is to be applied, by one
 * statement; null without the transfer. What is changed in them is not written. `figuresSince`: from when on figures of the market count.
 */
export async function findReviewed(
  em: EntityManager,
  transferId: string,
  figuresSince: Date,
): Promise<{ transfer: Transfer; review: Review | null; lastDay: LastDay; published: PublishedRow | null } | null> {
  const [row] = await runPrepared<{ published: PublishedRow | null; last_day: LastDayRow }>(em, readReviewed, [
    transferId,
    figuresSince,
  ]);
  if (!row) return null;
  const { published, last_day, ...joined } = row;
  const { transfer, rest } = takeJoined(em, joined);
  const review = rest.transfer_id === null ? null : plainRow(em, Review, rest);
  return transfer && { transfer, review, lastDay: toLastDay(last_day), published };
}

const readReviewed: PreparedStatement = {
  name: 'reviewed-transfer',
  text: `select ${columnsOf(Review, 'r')}, ${joinedTransferSql}, ${lastDaySql} as last_day,
      case when t.takes_better_rate and t.state = 'in_review' then ${publishedSql('$2')} end as published
    from transfer as t left join review as r on r.transfer_id = t.id where t.id = $1`,
};

/** Changes a review, in the transaction of `em` that has the lock of its transfer's row, and tells admins. */
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

/** What tells a result of a report from others, in the names that are checked for its second payout. */
export function payoutKey({ id, foundAt }: { id: string; foundAt?: Date | null }): string {
  return `${id} ${foundAt?.toISOString()}`;
}

/**
 * Begins the check of whom second payouts of a transfer would pay, and of its sender, in the transaction of `em` that has the lock of its row:
 * lists change, so it is made for each result, also where it is who was paid before. What was checked earlier stays in `past_screening`.
 */
export async function openPayoutScreening(
  em: EntityManager,
  { transferId, payouts, at }: { transferId: string; payouts: readonly { key: string; name: string }[]; at: Date },
): Promise<void> {
  await em.execute(
    `insert into review (transfer_id, version, screening_key, screening_status, names, attempts, next_attempt_at, hits)
     select t.id, 1, 'screening:' || gen_random_uuid(), 'pending', (
         select jsonb_build_array(jsonb_build_object('subject', 'sender', 'name', u.name, 'form', search_form(u.name))) ||
           jsonb_agg(jsonb_build_object('subject', 'recipient', 'name', p.name, 'form', search_form(p.name), 'payout', p.key))
         from jsonb_to_recordset(?::jsonb) as p (key text, name text)
       ), 0, ?, '[]'
     from transfer as t join app_user as u on u.id = t.user_id where t.id = ?
     on conflict (transfer_id) do update set version = review.version + 1, screening_key = excluded.screening_key,
       screening_status = 'pending', names = excluded.names, attempts = 0, next_attempt_at = excluded.next_attempt_at, last_error = null,
       hits = '[]', checked_at = null, note = null, noted_by_id = null`,
    [JSON.stringify(payouts), at, transferId],
  );
  noteDue(em, 'screenings-due');
  await pushReview(em, transferId);
}

/** Remembers that somebody with this name is not the listed one. The first to say so stays written. */
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
 * Takes a transfer for an admin until a moment, unless a colleague has it, or with null leaves it, and tells admins. Returns whether anything was
 * written. The transaction of `em` has the lock of the transfer's row.
 */
export async function writeClaim(
  em: EntityManager,
  { transferId, adminId, until, at }: { transferId: string; adminId: string; until: Date | null; at: Date },
): Promise<boolean> {
  await ensureReview(em, transferId, at);
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

/** Tells admins that what helps to decide about a transfer changed. */
export async function touchReview(em: EntityManager, transferId: string, at: Date): Promise<void> {
  await ensureReview(em, transferId, at);
  await em.execute('update review set version = version + 1 where transfer_id = ?', [transferId]);
  await pushReview(em, transferId);
}

/** The same of every transfer to a recipient that waits for a decision, in the transaction of `em`. */
export async function touchReviewsOf(em: EntityManager, recipientId: string, at: Date): Promise<void> {
  // As every change of a review does: the transfer before its review.
  const waiting = await em.execute<{ id: string }[]>(
    `select id from transfer where state = 'in_review' and recipient_id = ? order by id for key share`,
    [recipientId],
  );
  for (const { id } of waiting) await touchReview(em, id, at);
}

/** Opens the review of a transfer whose names nobody began to check: they are as soon as checks that are due are looked for. */
async function ensureReview(em: EntityManager, transferId: string, at: Date): Promise<void> {
  await em.execute(
    `insert into review (transfer_id, version, screening_key, screening_status, names, attempts, next_attempt_at, hits)
     values (?, 0, 'screening:' || gen_random_uuid(), 'pending', '[]', 0, ?, '[]') on conflict (transfer_id) do nothing`,
    [transferId, at],
  );
}

async function pushReview(em: EntityManager, transferId: string): Promise<void> {
  addPush(em, 'review-changed', { transferId });
  await em.flush();
}
