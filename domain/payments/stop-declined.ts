import { declinedMax, ownReasons } from '#core/transfers/own-reasons';
import type { JobContext } from '../job-context.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { countDeclines } from './stripe-event.repository.ts';

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
    if ((await countDeclines(em, paymentIntentId)) < declinedMax) return;
    const changes = { reason: ownReasons.declined_too_often };
    await moveTransfer(em, transferId, 'stop_declined', { at: context.now(), changes });
  });
}
