import type { ReviewView } from '#core/contracts/http/review';
import { formatMinor } from '#core/money/money';
import { estimatedFee, type PriceList } from '#core/reconciliation/price-list';
import { countedUsdMinor, type LastDay } from '#core/review/last-day';
import { type ReasonRules, reviewReasons } from '#core/review/reasons';
import type { ScreeningHit, ScreeningStatus } from '#core/review/screening';
import type { EntityManager } from '#platform/database/database';
import type { Transfer } from '../transfers/transfer.repository.ts';
import { findKnown, type KnownOfTransfer, type KnownReview, type SimilarTransfer } from './facts.repository.ts';
import type { Review } from './review.repository.ts';

/** An installation's review settings. */
export interface ReviewPolicy extends ReasonRules {
  /** Whether names are screened against sanctions lists. */
  readonly screens: boolean;
  /** How long an approval waits for a screening that has just started, in ms. */
  readonly screeningWaitMs: number;
  /** Amount (US cents), counted with the last 24 hours, from which two people have to approve a transfer. */
  readonly twoPersonsUsdMinor: bigint;
  /** The card processor's fees; null: unknown. */
  readonly prices: PriceList | null;
}

/**
 * The screening status of a transfer's names: `pending` before it has started, and again when it ended without a list
 * service.
 */
export function screeningOf(
  review: Pick<Review, 'screeningStatus'> | null,
  { screens }: Pick<ReviewPolicy, 'screens'>,
): ScreeningStatus {
  if (!screens) return 'off';
  return !review || review.screeningStatus === 'off' ? 'pending' : review.screeningStatus;
}

/** Whether two people have to approve a transfer: by its counted amount, or because of a fraud warning. */
export const needsTwoPeople = (
  transfer: { readonly usdMinor: bigint; readonly lastDay: LastDay; readonly fraudWarning?: string | null | undefined },
  { twoPersonsUsdMinor }: Pick<ReviewPolicy, 'twoPersonsUsdMinor'>,
): boolean => countedUsdMinor(transfer) >= twoPersonsUsdMinor || transfer.fraudWarning != null;

/** The review information of transfers, in their order, in one statement. */
export async function toReviewViews(
  em: EntityManager,
  transfers: readonly Pick<Transfer, 'id'>[],
  policy: ReviewPolicy,
  at = new Date(),
): Promise<ReviewView[]> {
  if (transfers.length === 0) return [];
  const ids = transfers.map(({ id }) => id);
  const known = await findKnown(em, ids);
  return ids.flatMap((id) => {
    const one = known.get(id);
    return one ? [toReviewView(id, one, policy, at)] : [];
  });
}

function toReviewView(
  id: string,
  { facts, amountMinor, review, approval, similar }: KnownOfTransfer,
  policy: ReviewPolicy,
  at: Date,
): ReviewView {
  const status = screeningOf(review, policy);
  return {
    id,
    version: review?.version ?? 0,
    reasons: reviewReasons({ ...facts, screening: status }, policy),
    screening: {
      status,
      attempts: review?.attempts ?? 0,
      next_attempt_at: review?.nextAttemptAt?.toISOString() ?? null,
      checked_at: review?.checkedAt?.toISOString() ?? null,
      hits: (review?.hits ?? []).map(toHitView),
      note: review?.note ?? null,
      noted_by: review?.notedBy ?? null,
    },
    claim: claimOf(review, at),
    needs_second: needsTwoPeople(facts, policy),
    approval: approval && { id: approval.id, by: approval.by, by_id: approval.byId, at: approval.at.toISOString() },
    processor_fee: policy.prices && formatMinor(estimatedFee(amountMinor, policy.prices)),
    similar: similar.map(toSimilarView),
  };
}

function claimOf(review: KnownReview | null, at: Date): ReviewView['claim'] {
  if (!review?.claimedById || !review.claimedUntil || review.claimedUntil <= at) return null;
  return { by: review.claimedBy ?? '', by_id: review.claimedById, until: review.claimedUntil.toISOString() };
}

function toHitView({ sourceId, listedName, programs, ...hit }: ScreeningHit): ReviewView['screening']['hits'][number] {
  return { ...hit, source_id: sourceId, listed_name: listedName, programs: [...programs] };
}

function toSimilarView({ id, createdAt, sender, recipient, currency, amountMinor, state, same }: SimilarTransfer) {
  const amount = formatMinor(amountMinor);
  return { id, date: createdAt.toISOString(), user: sender, recipient, currency, amount, state, same: [...same] };
}
