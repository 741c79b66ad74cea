import { declinesReached } from '#core/transfers/declines';
import { ownReasons } from '#core/transfers/own-reasons';
import type { JobContext } from '../jobs/job-context.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { findUnpaid, type Transfer } from '../transfers/transfer.repository.ts';
import { countDeclines, storeDeclines } from './declined-attempt.repository.ts';
import { syncPayment } from './sync-payment.ts';

/**
 * Records the declined attempts at a transfer's payment, and ends it after too many declined cards: for the transfer,
 * for its sender (which ends all of their unpaid transfers), from its network, or of one card. The job that follows
 * voids what Stripe may still hold (void-authorization.ts). A transfer that was paid in the meantime is not changed.
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
  // Committed before counting, so that the second of two concurrent transfers counts both.
  await database.transaction((em) => storeDeclines(em, id, declined));
  const em = database.fork();
  const reached = declinesReached(await countDeclines(em, id, at), declines);
  if (!reached) return;
  // A later card may already be authorized.
  await syncPayment(context, id);
  const ended = reached === 'account_declined_too_often' ? await findUnpaid(em, userId) : [{ id }];
  for (const transfer of ended) {
    const changes = { reason: ownReasons[reached] };
    await database.transaction((each) => moveTransfer(each, transfer.id, 'stop_declined', { at, changes }));
  }
}
