import { setTimeout } from 'node:timers/promises';
import { Failure } from '#core/contracts/failures';
import type { AdminTransferView } from '#core/contracts/http/admin';
import type { ReviewView } from '#core/contracts/http/review';
import { invalidInput } from '#core/contracts/invalid-input';
import { type HitVerdict, type ScreenedSubject, type ScreeningStatus, statusOfHits } from '#core/review/screening';
import { Database, type EntityManager } from '#platform/database/database';
import type { PageQuery } from '#platform/database/pages';
import { dispatchAgain } from '#platform/outbox/row-jobs';
import { writeAudit } from '../audit/audit.repository.ts';
import { findPayoutsToApprove } from '../complaints/complaint.repository.ts';
import { toAdminTransferView, toAdminTransferViews } from '../transfer-views/transfer-views.ts';
import { findTransfer, lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';
import { findUndecided } from '../transfers/transfer-search.repository.ts';
import { changeReview, findReview, type Review, rememberClearance } from './review.repository.ts';
import { type ReviewPolicy, toReviewViews } from './review-views.ts';
import { screeningRows } from './screening.repository.ts';

/** A page of the transfers awaiting a decision. @throws Failure `invalid_input` for a foreign cursor. */
export async function listReviews(
  em: EntityManager,
  query: PageQuery,
  policy: ReviewPolicy,
): Promise<{ items: { transaction: AdminTransferView; review: ReviewView }[]; nextCursor: string | null }> {
  const { rows, nextCursor } = await findUndecided(em, query);
  const transactions = await toAdminTransferViews(em, rows);
  const reviews = new Map((await toReviewViews(em, rows, policy)).map((review) => [review.id, review]));
  const items = transactions.flatMap((transaction) => {
    const review = reviews.get(transaction.id);
    return review ? { transaction, review } : [];
  });
  return { items, nextCursor };
}

/** The review information of one transfer. @throws Failure `not_found`. */
export async function viewReview(
  em: EntityManager,
  transferId: string,
  policy: ReviewPolicy,
  at = new Date(),
): Promise<ReviewView> {
  const transfer = await findTransfer(em, transferId);
  const [view] = transfer ? await toReviewViews(em, [transfer], policy, at) : [];
  if (!view) throw new Failure('not_found');
  return view;
}

/**
 * Locks the row of a transfer awaiting a decision until the transaction of `em` ends.
 * @throws Failure `not_found`, `own_transfer`, `not_awaiting_decision`.
 */
export async function lockForReview(em: EntityManager, transferId: string, adminId: string): Promise<Transfer> {
  const transfer = await lockTransfer(em, transferId);
  if (!transfer) throw new Failure('not_found');
  if (transfer.userId === adminId) throw new Failure('own_transfer');
  if (transfer.state === 'in_review') return transfer;
  throw new Failure('not_awaiting_decision', { transaction: await toAdminTransferView(em, transfer) });
}

/**
 * `lockForReview` for screenings, which are also needed before paying a changed recipient, and before a second payout.
 */
async function lockForScreening(em: EntityManager, transferId: string, adminId: string): Promise<void> {
  const transfer = await lockTransfer(em, transferId);
  const isOfOther = transfer !== null && transfer.userId !== adminId;
  if (isOfOther && (transfer.state === 'captured' || (await findPayoutsToApprove(em, transferId)).length > 0)) return;
  await lockForReview(em, transferId, adminId);
}

/** Polling interval for pending screenings, in ms. */
const screeningPollMs = 100;

/**
 * The review of a transfer. A screening that has just started is answered in a moment, so an approval waits for it as
 * long as the policy permits. `review`: as it was read.
 */
export async function awaitScreening(
  database: Database,
  { transferId, review: seen }: { transferId: string; review: Review | null },
  { screens, screeningWaitMs }: Pick<ReviewPolicy, 'screens' | 'screeningWaitMs'>,
): Promise<Review | null> {
  let review = seen;
  if (!screens) return review;
  const until = performance.now() + screeningWaitMs;
  while ((!review || (review.screeningStatus === 'pending' && review.attempts <= 1)) && performance.now() < until) {
    await setTimeout(screeningPollMs);
    review = await findReview(database.fork(), transferId);
  }
  return review;
}

/** A person's verdict on a screening; the hit and a note are required if the verdict concerns a hit. */
export interface ScreeningDecision {
  readonly verdict: HitVerdict | 'checked' | 'again';
  readonly subject?: ScreenedSubject | undefined;
  readonly source?: string | undefined;
  readonly source_id?: string | undefined;
  readonly note?: string | undefined;
}

/**
 * Records a person's verdict on a listed name, an unclear name, or an unanswered screening, under the transfer's row
 * lock. A false positive is remembered for later transfers; a true hit cannot be undone.
 * @throws Failure `not_found`, `own_transfer`, `not_awaiting_decision`, `invalid_input` without a note, and
 * `screening_decided` when there is nothing (more) to decide.
 */
export async function decideScreening(
  database: Database,
  input: { transferId: string; adminId: string; decision: ScreeningDecision; at: Date },
  policy: ReviewPolicy,
): Promise<ReviewView> {
  const { transferId, adminId, decision, at } = input;
  const { note = '' } = decision;
  if (decision.verdict !== 'again' && note === '') throw invalidInput({ note: 'note_required' });
  return database.transaction(async (em) => {
    await lockForScreening(em, transferId, adminId);
    const review = await findReview(em, transferId);
    if (!review) throw new Failure('screening_decided');
    if (decision.verdict === 'again') await askAgain(em, review, at);
    else await writeVerdict(em, review, { ...decision, verdict: decision.verdict, note, adminId, at });
    const { verdict, source, source_id: sourceId } = decision;
    await writeAudit(em, 'screening_decided', { subject: transferId, detail: { verdict, source, sourceId } });
    return viewReview(em, transferId, policy, at);
  });
}

async function askAgain(em: EntityManager, review: Review, at: Date): Promise<void> {
  if (review.screeningStatus !== 'unavailable') throw new Failure('screening_decided');
  await changeReview(em, review, { screeningStatus: 'pending', attempts: 0, nextAttemptAt: at });
  await dispatchAgain(em, screeningRows, review.transferId, { at, now: at });
}

/** Statuses that an admin resolves by checking the lists manually. */
const checkedByPeople: readonly ScreeningStatus[] = ['unavailable', 'unclear'];

async function writeVerdict(
  em: EntityManager,
  review: Review,
  said: Omit<ScreeningDecision, 'verdict'> & {
    verdict: HitVerdict | 'checked';
    note: string;
    adminId: string;
    at: Date;
  },
): Promise<void> {
  const { verdict, note, adminId, at } = said;
  const noted = { note, notedById: adminId };
  if (verdict === 'checked') {
    if (!checkedByPeople.includes(review.screeningStatus)) throw new Failure('screening_decided');
    return changeReview(em, review, { screeningStatus: 'checked', checkedAt: at, ...noted });
  }
  const index = review.hits.findIndex(
    (hit) =>
      hit.subject === said.subject &&
      hit.source === said.source &&
      hit.sourceId === said.source_id &&
      hit.verdict === null,
  );
  const hit = review.hits[index];
  if (!hit) throw new Failure('screening_decided');
  const hits = review.hits.with(index, { ...hit, verdict });
  await changeReview(em, review, { hits, screeningStatus: statusOfHits(hits, review.names), ...noted });
  const form = review.names.find(({ subject, name }) => subject === hit.subject && name === hit.name)?.form;
  if (verdict !== 'false_positive' || form === undefined) return;
  const { source, sourceId } = hit;
  const about = { nameForm: form, source, sourceId, transferId: review.transferId };
  await rememberClearance(em, { ...about, note, clearedById: adminId, clearedAt: at });
}
