import type { RowJobData } from '#core/contracts/jobs';
import type { ScreeningHit, ScreeningStatus } from '#core/review/screening';
import type { EntityManager } from '#platform/database/database';
import { addPush } from '#platform/outbox/outbox';
import { beginAttempt, dispatchRow, type RowTable, type RunAgain } from '#platform/outbox/row-jobs';
import { NameClearance, Review } from './review.entity.ts';

/** Screenings as rows processed by jobs: the reviews of transfers. */
export const screeningRows: RowTable = {
  entity: Review,
  key: 'transfer_id',
  jobSql: "'screen-names'",
  transferSql: 'transfer_id',
};

/** SQL: the names to screen for a transfer `t` and its sender `u`. */
const namesSql = `
  jsonb_build_array(jsonb_build_object('subject', 'sender', 'name', u.name, 'form', search_form(u.name))) ||
  case when t.payout_target ->> 'name' is null then '[]'::jsonb else jsonb_build_array(
    jsonb_build_object('subject', 'recipient', 'name', t.payout_target ->> 'name', 'form', search_form(t.payout_target ->> 'name'))
  ) end`;

/**
 * SQL: the names of a transfer's sender `u`, and of the payees of second payouts: `?` is a JSON list of their keys and
 * names.
 */
const payoutNamesSql = `(
  select jsonb_build_array(jsonb_build_object('subject', 'sender', 'name', u.name, 'form', search_form(u.name))) ||
    jsonb_agg(jsonb_build_object('subject', 'recipient', 'name', p.name, 'form', search_form(p.name), 'payout', p.key))
  from jsonb_to_recordset(?::jsonb) as p (key text, name text)
)`;

/**
 * SQL: opens the screening of a transfer, or restarts it with a new key if the existing review matches `replaced`.
 * Earlier screenings stay in `past_screening`.
 */
const openSql = ({ names, where, replaced }: { names: string; where: string; replaced: string }) => `
  insert into review (transfer_id, version, screening_key, screening_status, names, dispatch, attempts, next_attempt_at, hits)
  select t.id, 1, 'screening:' || gen_random_uuid(), 'pending', ${names}, 1, 0, ?, '[]'
  from transfer as t join app_user as u on u.id = t.user_id where t.id = ? and ${where}
  on conflict (transfer_id) do update set version = review.version + 1, screening_key = excluded.screening_key,
    screening_status = 'pending', names = excluded.names, dispatch = review.dispatch + 1, attempts = 0,
    next_attempt_at = excluded.next_attempt_at, last_error = null, hits = '[]', checked_at = null, note = null, noted_by_id = null
    where ${replaced}
  returning transfer_id as id, dispatch`;

const openOfReview = openSql({
  names: namesSql,
  where: "t.state = 'in_review'",
  replaced: "review.names <> excluded.names or (? and review.screening_status = 'off')",
});
const openOfPayouts = openSql({ names: payoutNamesSql, where: 'true', replaced: 'true' });

type Opened = { readonly id: string; readonly dispatch: number };

/**
 * Opens a screening for the current names of a transfer in review, unless there is one; in the transaction of `em`,
 * which holds the lock of the transfer's row. `isServiceThere`: also if the last one ended without a list service.
 */
export async function openMissingScreening(
  em: EntityManager,
  transferId: string,
  { at, isServiceThere = false }: { at: Date; isServiceThere?: boolean },
): Promise<void> {
  await em.flush();
  await dispatchOpened(em, await em.execute<Opened[]>(openOfReview, [at, transferId, isServiceThere]));
}

/** Identifies a report's result among the names screened for second payouts. */
export function payoutKey({ id, foundAt }: { id: string; foundAt?: Date | null }): string {
  return `${id} ${foundAt?.toISOString()}`;
}

/**
 * Opens a screening of the payees of a transfer's payouts, and of its sender, in the transaction of `em`, which holds
 * the lock of its row. Because lists change, every result needs a new one, even for the same payee.
 */
export async function openPayoutScreening(
  em: EntityManager,
  { transferId, payouts, at }: { transferId: string; payouts: readonly { key: string; name: string }[]; at: Date },
): Promise<void> {
  await em.flush();
  await dispatchOpened(em, await em.execute<Opened[]>(openOfPayouts, [JSON.stringify(payouts), at, transferId]));
}

async function dispatchOpened(em: EntityManager, [opened]: readonly Opened[]): Promise<void> {
  if (!opened) return;
  dispatchRow(em, 'screen-names', { ...opened, transferId: opened.id });
  await em.flush();
}

/** At most `limit` transfers in review without a screening of their current names, least recently changed first. */
export async function findUnscreened(em: EntityManager, limit: number): Promise<string[]> {
  const rows = await em.execute<{ id: string }[]>(
    `select t.id from transfer as t join app_user as u on u.id = t.user_id left join review as r on r.transfer_id = t.id
     where t.state = 'in_review' and (r.transfer_id is null or r.screening_status = 'off' or r.names <> ${namesSql})
     order by t.changed_at limit ?`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

/** A screening with a started attempt. */
export interface BegunScreening {
  readonly review: Review;
  /** Listed people whom an admin ruled out for these names. */
  readonly cleared: readonly Pick<NameClearance, 'nameForm' | 'source' | 'sourceId'>[];
}

/** Starts an attempt at a screening for its job, in the transaction of `em`; see `beginAttempt`. */
export async function beginScreening(
  em: EntityManager,
  { id, dispatch }: RowJobData,
  now: Date,
): Promise<BegunScreening | { readonly early: RunAgain } | null> {
  const begun = await beginAttempt(em, Review, { transferId: id }, { dispatch, now });
  if (!begun || 'early' in begun) return begun;
  const { row: review } = begun;
  const nameForm = { $in: review.names.map(({ form }) => form) };
  return { review, cleared: await em.find(NameClearance, { nameForm }) };
}

/** Ends the screening of a job, because this installation has no list service. */
export async function endWithoutService(em: EntityManager, { id, dispatch }: RowJobData): Promise<void> {
  const open = { transferId: id, dispatch, screeningStatus: 'pending' } as const;
  await em.nativeUpdate(Review, open, { screeningStatus: 'off', nextAttemptAt: null });
}

/** The result of an attempt. */
export interface ScreeningResult {
  readonly status: Extract<ScreeningStatus, 'pending' | 'clear' | 'hit' | 'blocked' | 'unavailable' | 'unclear'>;
  readonly hits: readonly ScreeningHit[];
  readonly error: string | null;
  /** Only while it is pending. */
  readonly nextAttemptAt: Date | null;
  /** When the lists answered; null if they did not. */
  readonly checkedAt: Date | null;
}

/**
 * Records the result of an attempt and notifies admins. Returns false, with nothing written, when the names have
 * changed or another attempt has started since.
 */
export async function writeScreening(
  em: EntityManager,
  { transferId, dispatch, attempts }: Review,
  { status, hits, error, nextAttemptAt, checkedAt }: ScreeningResult,
): Promise<boolean> {
  const rows = await em.execute<unknown[]>(
    `update review set version = version + 1, screening_status = ?, hits = ?::jsonb, last_error = ?, next_attempt_at = ?, checked_at = ?
     where transfer_id = ? and dispatch = ? and attempts = ? returning transfer_id`,
    [status, JSON.stringify(hits), error, nextAttemptAt, checkedAt, transferId, dispatch, attempts],
  );
  if (rows.length > 0) await pushReview(em, transferId);
  return rows.length > 0;
}

/** Notifies admins that a review changed. */
export async function pushReview(em: EntityManager, transferId: string): Promise<void> {
  addPush(em, 'review-changed', { transferId });
  await em.flush();
}
