import type { ReviewView } from '#core/contracts/http/review';
import { formatMinor } from '#core/money/money';
import { reviewReasons } from '#core/review/reasons';
import type { ScreeningHit, ScreeningStatus } from '#core/review/screening';
import type { WindowLimits } from '#core/transfers/limits';
import type { EntityManager } from '#platform/database/database';
import { findUsersById } from '../accounts/account.repository.ts';
import type { Transfer } from '../transfers/transfer.repository.ts';
import { findReviewFacts, findSimilarTransfers, type SimilarTransfer } from './facts.repository.ts';
import { findReviews, type Review } from './review.repository.ts';

/** How an installation reviews transfers. */
export interface ReviewPolicy {
  /** A sender's limits; what lies just under them is a reason. */
  readonly limits: WindowLimits;
  /** Whether names are checked against sanctions lists. */
  readonly screens: boolean;
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
): Promise<ReviewView[]> {
  if (transfers.length === 0) return [];
  const ids = transfers.map(({ id }) => id);
  const facts = await findReviewFacts(em, ids);
  const similar = Map.groupBy(await findSimilarTransfers(em, ids), (one) => one.of);
  const reviews = new Map((await findReviews(em, ids)).map((review) => [review.transferId, review]));
  const people = await findUsersById(
    em,
    [...reviews.values()].flatMap(({ notedById }) => notedById ?? []),
  );
  const names = new Map(people.map(({ id, name }) => [id, name]));
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
        noted_by: (review?.notedById && names.get(review.notedById)) ?? null,
      },
      similar: (similar.get(id) ?? []).map(toSimilarView),
    };
  });
}

function toHitView({ sourceId, listedName, programs, ...hit }: ScreeningHit): ReviewView['screening']['hits'][number] {
  return { ...hit, source_id: sourceId, listed_name: listedName, programs: [...programs] };
}

function toSimilarView({ id, createdAt, sender, recipient, currency, amountMinor, state, same }: SimilarTransfer) {
  const amount = formatMinor(amountMinor);
  return { id, date: createdAt.toISOString(), user: sender, recipient, currency, amount, state, same: [...same] };
}
