import type { ReviewView } from '#core/contracts/http/review';
import { formatMinor } from '#core/money/money';
import { reviewReasons } from '#core/review/reasons';
import type { ScreeningHit, ScreeningStatus } from '#core/review/screening';
import type { WindowLimits } from '#core/transfers/limits';
import type { EntityManager } from '#platform/database/database';
import { findUsersById } from '../accounts/account.repository.ts';
import { type ApprovalRequest, findApprovalRequests } from '../operations/desk-request.repository.ts';
import type { Transfer } from '../transfers/transfer.repository.ts';
import { findReviewFacts, findSimilarTransfers, type SimilarTransfer } from './facts.repository.ts';
import { findReviews, type Review } from './review.repository.ts';

/** How an installation reviews transfers. */
export interface ReviewPolicy {
  /** A sender's limits; what lies just under them is a reason. */
  readonly limits: WindowLimits;
  /** Whether names are checked against sanctions lists. */
  readonly screens: boolean;
  /** How long an approval waits for a check that was only just begun, in ms. */
  readonly screeningWaitMs: number;
  /** From this amount on (US cents) two persons have to approve a transfer. */
  readonly twoPersonsUsdMinor: bigint;
}

/** Where the check of a transfer's names stands; without a row it was not begun. */
export function screeningOf(
  review: Pick<Review, 'screeningStatus'> | null,
  { screens }: ReviewPolicy,
): ScreeningStatus {
  if (!screens) return 'off';
  return review?.screeningStatus ?? 'pending';
}

/** What helps to decide about transfers, in their order; the number of statements does not grow with theirs. */
export async function toReviewViews(
  em: EntityManager,
  transfers: readonly Pick<Transfer, 'id'>[],
  policy: ReviewPolicy,
  at = new Date(),
): Promise<ReviewView[]> {
  if (transfers.length === 0) return [];
  const ids = transfers.map(({ id }) => id);
  const facts = await findReviewFacts(em, ids);
  const similar = Map.groupBy(await findSimilarTransfers(em, ids), (one) => one.of);
  const reviews = new Map((await findReviews(em, ids)).map((review) => [review.transferId, review]));
  const approvals = new Map((await findApprovalRequests(em, ids)).map((one) => [one.transferId, one]));
  const nameOf = await namesOf(em, [
    ...[...reviews.values()].flatMap(({ notedById, claimedById }) => [notedById, claimedById]),
    ...[...approvals.values()].map(({ requestedById }) => requestedById),
  ]);
  return ids.flatMap((id) => {
    const known = facts.get(id);
    if (!known) return [];
    const review = reviews.get(id) ?? null;
    const status = screeningOf(review, policy);
    return {
      id,
      version: review?.version ?? 0,
      reasons: reviewReasons({ ...known, screening: status }, policy.limits),
      screening: {
        status,
        attempts: review?.attempts ?? 0,
        next_attempt_at: review?.nextAttemptAt?.toISOString() ?? null,
        checked_at: review?.checkedAt?.toISOString() ?? null,
        hits: (review?.hits ?? []).map(toHitView),
        note: review?.note ?? null,
        noted_by: review?.notedById ? nameOf(review.notedById) : null,
      },
      claim: claimOf(review, nameOf, at),
      needs_second: known.usdMinor >= policy.twoPersonsUsdMinor,
      approval: approvalOf(approvals.get(id), nameOf),
      similar: (similar.get(id) ?? []).map(toSimilarView),
    };
  });
}

type NameOf = (id: string) => string;

async function namesOf(em: EntityManager, ids: readonly (string | null | undefined)[]): Promise<NameOf> {
  const people = await findUsersById(em, [...new Set(ids.filter((id) => id != null))]);
  const names = new Map(people.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? '';
}

function claimOf(review: Review | null, nameOf: NameOf, at: Date): ReviewView['claim'] {
  if (!review?.claimedById || !review.claimedUntil || review.claimedUntil <= at) return null;
  return { by: nameOf(review.claimedById), by_id: review.claimedById, until: review.claimedUntil.toISOString() };
}

function approvalOf(request: ApprovalRequest | undefined, nameOf: NameOf): ReviewView['approval'] {
  if (!request) return null;
  const { requestedById, requestedAt } = request;
  return { by: nameOf(requestedById), by_id: requestedById, at: requestedAt.toISOString() };
}

function toHitView({ sourceId, listedName, programs, ...hit }: ScreeningHit): ReviewView['screening']['hits'][number] {
  return { ...hit, source_id: sourceId, listed_name: listedName, programs: [...programs] };
}

function toSimilarView({ id, createdAt, sender, recipient, currency, amountMinor, state, same }: SimilarTransfer) {
  const amount = formatMinor(amountMinor);
  return { id, date: createdAt.toISOString(), user: sender, recipient, currency, amount, state, same: [...same] };
}
