import { declinedMax, ownReasons } from '#core/transfers/own-reasons';
import type { JobContext } from '../job-context.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { countEvents } from './stripe-event.repository.ts';

/** Stripe's event for an attempt that the card's bank, or the person at 3-D Secure, declined. */
export const declinedEvent = 'payment_intent.payment_failed';

/**
 * Ends a transfer whose payment was declined too often; what may still be held at Stripe is voided by the job that follows
 * (void-authorization.ts). A transfer that was paid meanwhile stays as it is.
 */
export async function stopDeclinedPayment(
  context: JobContext,
  transferId: string,
  paymentIntentId: string,
): Promise<void> {
  await context.database.transaction(async (em) => {
    if ((await countEvents(em, paymentIntentId, declinedEvent)) < declinedMax) return;
    const changes = { reason: ownReasons.declined_too_often };
    await moveTransfer(em, transferId, 'stop_declined', { at: context.now(), changes });
  });
}
