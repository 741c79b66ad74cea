import type { Stripe } from 'stripe';
import { isOpenDispute } from '#core/operations/dispute';
import { isEndedUnpaid, sumOf } from '#core/operations/reducer';
import { type Dispute, disputedError, findDisputes } from '../disputes/dispute.repository.ts';
import { syncDisputes } from '../disputes/sync-disputes.ts';
import type { JobContext } from '../job-context.ts';
import type { Attempt } from '../operations/attempt.ts';
import type { Operation } from '../operations/operation.repository.ts';
import { markAuthorizationVoided } from '../transfers/move-transfer.ts';
import type { Transfer } from '../transfers/transfer.repository.ts';
import { applyIntent } from './apply-intent.ts';
import { chargeOf, isStaleView, isStoredFailure, readIntent } from './read-intent.ts';

/**
 * Frees the card of a transfer that is not to be charged: it ended, its quote ran out, or its sender cancelled after the approval. Stripe decides
 * whether the authorization was voided or captured in the meantime: an intent can be cancelled or captured, never both.
 */
export async function voidAuthorization(
  context: JobContext,
  operation: Operation,
  transfer: Transfer,
): Promise<Attempt> {
  if (!transfer.paymentIntentId) return { result: 'unneeded' };
  const ended = isEndedUnpaid(transfer.state);
  if (!isWanted(transfer, context.now())) return { result: 'unneeded' };
  const before = await readIntent(context, transfer);
  if (ended && before.status === 'succeeded') return returnUnapproved(context, transfer, before, operation);
  let stored: unknown;
  // Paid in the last moment before it expired: the payment counts.
  const paidInTime = transfer.state === 'awaiting_payment' && before.status === 'requires_capture';
  if (!paidInTime && before.status !== 'canceled' && before.status !== 'succeeded') {
    stored = await cancelIntent(context, transfer, operation.idempotencyKey);
  }
  const after = paidInTime ? before : await readIntent(context, transfer);
  if (stored && after.status !== 'canceled' && after.status !== 'succeeded') {
    return { result: 'again', error: String(stored) };
  }
  if (!paidInTime && after.status !== 'canceled' && after.status !== 'succeeded')
    throw new Error(`the payment is still ${after.status}`);
  await applyIntent(context, transfer, after);
  return { result: 'settled' };
}

/** Whether the card of a transfer is to be freed: it ended, its quote ran out, or its sender cancelled it. */
function isWanted(transfer: Transfer, now: Date): boolean {
  const { state, authorizationVoidedAt, quoteExpiresAt, cancelRequestedAt } = transfer;
  if (isEndedUnpaid(state)) return !authorizationVoidedAt;
  return state === 'awaiting_payment' ? quoteExpiresAt <= now : state === 'approved' && cancelRequestedAt != null;
}

/** Charged behind our back, in Stripe's own dashboard for example, although nobody approved it: the money is returned. */
async function returnUnapproved(
  context: JobContext,
  transfer: Transfer,
  intent: Stripe.PaymentIntent,
  operation: Operation,
): Promise<Attempt> {
  const disputes = chargeOf(intent)?.disputed ? await readDisputes(context, transfer.id) : [];
  if (disputes.some(({ status }) => isOpenDispute(status))) return { result: 'waiting', error: disputedError };
  // Lost disputes have returned the money as well; of what is left after one in part, Stripe refunds nothing.
  if (sumOf(disputes, 'lost') < transfer.amountMinor) {
    const failure = await refundAll(context, transfer, { intent, key: operation.idempotencyKey });
    if (failure) return { result: 'again', error: String(failure) };
  }
  await context.database.transaction((em) => markAuthorizationVoided(em, transfer.id, context.now()));
  return { result: 'settled' };
}

async function readDisputes(context: JobContext, transferId: string): Promise<Dispute[]> {
  await syncDisputes(context, transferId);
  return findDisputes(context.database.fork(), transferId);
}

/** Returns a failure that Stripe would repeat for this key. */
async function refundAll(
  context: JobContext,
  transfer: Transfer,
  { intent, key }: { intent: Stripe.PaymentIntent; key: string },
): Promise<unknown> {
  try {
    await context.stripe.refunds.create(
      { payment_intent: intent.id, metadata: { transfer_id: transfer.id } },
      { idempotencyKey: key },
    );
  } catch (error) {
    if (isStoredFailure(error)) return error;
    if ((error as { code?: string }).code !== 'charge_already_refunded') throw error;
  }
}

/**
 * Cancels the payment intent of a transfer. The key carries the reason, because Stripe refuses a key with other data. An
 * intent that is cancelled or captured already is no error: the caller reads it again. Returns a failure that Stripe would
 * repeat for this key.
 */
export async function cancelIntent(context: JobContext, transfer: Transfer, key: string): Promise<unknown> {
  const bySender = transfer.state === 'cancelled' || transfer.cancelRequestedAt != null;
  const reason = bySender ? 'requested_by_customer' : 'abandoned';
  try {
    await context.stripe.paymentIntents.cancel(
      transfer.paymentIntentId as string,
      { cancellation_reason: reason },
      { idempotencyKey: `${key}:${reason}` },
    );
  } catch (error) {
    if (isStoredFailure(error)) return error;
    if (!isStaleView(error)) throw error;
  }
}
