import { declinesReached } from '#core/transfers/declines';
import { ownReasons } from '#core/transfers/own-reasons';
import type { JobContext } from '../jobs/job-context.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { findUnpaid, type Transfer } from '../transfers/transfer.repository.ts';
import { countDeclines, storeDeclines } from './declined-attempt.repository.ts';
import { syncPayment } from './sync-payment.ts';

/**
 * Notes the declined attempts at a transfer's payment, and ends it where too many cards were declined: for it, for its sender, who then has all
 * unpaid ones ended, from its network, or of one card. What may still be held at Stripe is voided by the job that follows
 * (void-authorization.ts). A transfer that was paid meanwhile stays as it is.
 */
export async function stopDeclinedPayment(
  context: JobContext,
  { id, userId }: Pick<Transfer, 'id' | 'userId'>,
  paymentIntentId: string,
): Promise<void> {
  const { database, stripe, now, declines } = context;
  const at = now();
  const { data } = await stripe.charges.list({ payment_intent: paymentIntentId, limit: 100 });
  const declined = data
    .filter(({ status }) => status === 'failed')
    .map((charge) => {
      const card = charge.payment_method_details?.card?.fingerprint ?? null;
      return { chargeId: charge.id, card, at: new Date(charge.created * 1000) };
    });
  // Committed before they are counted: of two transfers at the same instant the second counts both.
  await database.transaction((em) => storeDeclines(em, id, declined));
  const em = database.fork();
  const reached = declinesReached(await countDeclines(em, id, at), declines);
  if (!reached) return;
  // A later card may be held already.
  await syncPayment(context, id);
  const ended = reached === 'account_declined_too_often' ? await findUnpaid(em, userId) : [{ id }];
  for (const transfer of ended) {
    const changes = { reason: ownReasons[reached] };
    await database.transaction((each) => moveTransfer(each, transfer.id, 'stop_declined', { at, changes }));
  }
}
