import { Failure } from '#core/contracts/failures';
import type { ReviewView } from '#core/contracts/http/review';
import { minuteMs } from '#core/time/time';
import { Database, type EntityManager } from '#platform/database/database';
import { findUser } from '../accounts/account.repository.ts';
import { writeAudit } from '../audit/audit.repository.ts';
import { findReview, type Review, writeClaim } from './review.repository.ts';
import type { ReviewPolicy } from './review-views.ts';
import { lockForReview, viewReview } from './reviews.ts';

/** How long a claim lasts after its admin's last action, in ms. */
const claimMs = 10 * minuteMs;

/**
 * Claims a transfer for review, extends or releases the claim. Colleagues see it at once and cannot decide until it
 * ends: after ten minutes, or with the decision.
 * @throws Failure `not_found`, `own_transfer`, `not_awaiting_decision`, `claimed` by a colleague.
 */
export async function claimReview(
  database: Database,
  input: { transferId: string; adminId: string; mine: boolean; at: Date },
  policy: ReviewPolicy,
): Promise<ReviewView> {
  const { transferId, adminId, mine, at } = input;
  return database.transaction(async (em) => {
    await lockForReview(em, transferId, adminId);
    const until = mine ? new Date(at.getTime() + claimMs) : null;
    const isWritten = await writeClaim(em, { transferId, adminId, until, at });
    if (mine && !isWritten) await refuseClaimed(em, await findReview(em, transferId), { adminId, at });
    await writeAudit(em, 'review_claimed', { subject: transferId, detail: { mine } });
    return viewReview(em, transferId, policy, at);
  });
}

/** @throws Failure `claimed` while a colleague has claimed the transfer. */
export async function refuseClaimed(
  em: EntityManager,
  review: Pick<Review, 'claimedById' | 'claimedUntil'> | null,
  { adminId, at }: { adminId: string; at: Date },
): Promise<void> {
  if (!review?.claimedById || review.claimedById === adminId || !review.claimedUntil || review.claimedUntil <= at)
    return;
  const claimedBy = (await findUser(em, review.claimedById))?.name ?? '';
  throw new Failure('claimed', { claimedBy, until: review.claimedUntil.toISOString() });
}
