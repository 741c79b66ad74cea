import { isDeepStrictEqual } from 'node:util';
import type { Stripe } from 'stripe';
import type { CardRisk } from '#core/review/card-risk';
import type { JobContext } from '../jobs/job-context.ts';
import { bumpReviewVersion } from '../review/review.repository.ts';
import { changeWithinState } from '../transfers/move-transfer.ts';
import { chargeOf, checkIntent } from './read-intent.ts';
import { writeAsRead } from './write-as-read.ts';

/** Whether a Stripe event concerns a manual review of a payment, by Stripe or by our account. */
export const isReviewEvent = (type: string): boolean => type.startsWith('review.');

/** Radar's assessment of an intent's charge; null without a charge. A review that was not expanded counts as open. */
export function cardRiskOf(intent: Stripe.PaymentIntent): CardRisk | null {
  const outcome = chargeOf(intent)?.outcome;
  if (!outcome) return null;
  const { risk_level, risk_score, network_status, reason, seller_message, rule } = outcome;
  const { review } = intent;
  const closed = typeof review === 'object' && review !== null && !review.open ? review.closed_reason : null;
  return {
    ...{
      level: risk_level ?? null,
      score: risk_score ?? null,
      network: network_status,
      reason,
      message: seller_message,
    },
    rule: typeof rule === 'object' ? rule.predicate : (rule ?? null),
    review: review && (closed ?? 'open'),
  };
}

/** Reads the review status of an authorized or charged payment from Stripe and stores it. */
export async function syncCardRisk(context: JobContext, transferId: string): Promise<void> {
  await writeAsRead(context, transferId, {
    read: async (transfer, paymentIntentId) => {
      const expand = ['latest_charge', 'review'];
      return cardRiskOf(
        checkIntent(transfer, await context.stripe.paymentIntents.retrieve(paymentIntentId, { expand })),
      );
    },
    write: async (em, transfer, cardRisk) => {
      // Before the authorization, the latest charge may be a declined one.
      if (!transfer.paidAt || isDeepStrictEqual(cardRisk, transfer.cardRisk ?? null)) return;
      const step = { name: 'note_card_risk', owner: 'payments', at: context.now() } as const;
      await changeWithinState(em, transfer, { cardRisk }, step);
      if (transfer.state === 'in_review') await bumpReviewVersion(em, transfer.id, step.at);
    },
  });
}
