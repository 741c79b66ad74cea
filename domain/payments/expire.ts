import { ownReasons } from '#core/transfers/own-reasons';
import type { JobContext } from '../jobs/job-context.ts';
import { openOperation } from '../provider-calls/operation.repository.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { authorizationMarginMs, findTransfer, lockTransfer } from '../transfers/transfer.repository.ts';

/**
 * Called when a quote has expired. The payment may have been made at the last moment, so the transfer expires only once
 * the payment is cancelled at Stripe (void-authorization.ts). Without a payment intent it cannot be paid, and expires
 * at once.
 */
export async function expirePayment(context: JobContext, transferId: string): Promise<void> {
  const at = context.now();
  await context.database.transaction(async (em) => {
    const transfer = await lockTransfer(em, transferId, { state: 'awaiting_payment', quoteExpiresAt: { $lte: at } });
    if (!transfer) return;
    if (transfer.paymentIntentId) await openOperation(em, transfer, 'void', { at });
    else await moveTransfer(em, transfer, 'expire_quote', { at });
    await em.flush();
  });
}

/**
 * Called when an authorization is about to end undecided: the transfer expires, and void-authorization.ts voids the
 * authorization.
 */
export async function expireAuthorization(context: JobContext, transferId: string): Promise<void> {
  const transfer = await findTransfer(context.database.fork(), transferId);
  if (transfer?.state !== 'in_review' || !transfer.captureBefore) return;
  const at = context.now();
  if (transfer.captureBefore.getTime() - authorizationMarginMs > at.getTime()) return;
  const reason = ownReasons.not_reviewed;
  await context.database.transaction((em) =>
    moveTransfer(em, transfer.id, 'expire_authorization', { at, changes: { reason } }),
  );
}
