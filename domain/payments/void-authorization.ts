import type { Stripe } from 'stripe';
import { heldError, movementOf } from '#core/holds/holds';
import { isEndedUnpaid, sumOf } from '#core/operations/reducer';
import { isRefusal } from '#platform/stripe-errors';
import { type Dispute, findDisputes } from '../disputes/dispute.repository.ts';
import { findHolds } from '../holds/holds.repository.ts';
import type { JobContext } from '../jobs/job-context.ts';
import type { Attempt } from '../provider-calls/attempt.ts';
import type { Operation } from '../provider-calls/operation.repository.ts';
import { markAuthorizationVoided } from '../transfers/move-transfer.ts';
import type { Transfer } from '../transfers/transfer.repository.ts';
import { applyIntent } from './apply-intent.ts';
import { chargeOf, isStaleView, isStoredFailure, readIntent, undoneBy } from './read-intent.ts';
import { syncDisputes } from './sync-disputes.ts';

/**
 * Voids the authorization of a transfer that is not to be charged: it ended, its quote expired, or its sender cancelled
 * after the approval. Stripe decides whether it was voided or captured in the meantime: an intent can be cancelled or
 * captured, never both.
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
  let failure: unknown;
  // Paid at the last moment before it expired: the payment counts.
  const paidInTime = transfer.state === 'awaiting_payment' && before.status === 'requires_capture';
  if (!paidInTime && before.status !== 'canceled' && before.status !== 'succeeded') {
    failure = await cancelIntent(context, transfer, operation.idempotencyKey);
  }
  const after = paidInTime ? before : await readIntent(context, transfer);
  if (failure && after.status !== 'canceled' && after.status !== 'succeeded') return undoneBy(failure);
  if (!paidInTime && after.status !== 'canceled' && after.status !== 'succeeded')
    throw new Error(`the payment is still ${after.status}`);
  await applyIntent(context, transfer, after);
  return { result: 'settled' };
}

/** Whether a transfer's authorization is to be voided: it ended, its quote expired, or its sender cancelled it. */
function isWanted(transfer: Transfer, now: Date): boolean {
  const { state, authorizationVoidedAt, quoteExpiresAt, cancelRequestedAt } = transfer;
  if (isEndedUnpaid(state)) return !authorizationVoidedAt;
  return state === 'awaiting_payment' ? quoteExpiresAt <= now : state === 'approved' && cancelRequestedAt != null;
}

/** Refunds a charge made without approval outside our system, such as in Stripe's dashboard. */
async function returnUnapproved(
  context: JobContext,
  transfer: Transfer,
  intent: Stripe.PaymentIntent,
  operation: Operation,
): Promise<Attempt> {
  const disputes = chargeOf(intent)?.disputed ? await readDisputes(context, transfer.id) : [];
  const holds = await findHolds(context.database.fork(), transfer, movementOf(operation), operation.id);
  if (holds.length > 0) return { result: 'waiting', error: heldError(holds) };
  // Lost disputes have returned the money as well; after a partial one, Stripe refunds nothing of the rest.
  if (sumOf(disputes, 'lost') < transfer.amountMinor) {
    const failure = await refundAll(context, transfer, { intent, key: operation.idempotencyKey });
    if (failure) return undoneBy(failure);
  }
  await context.database.transaction((em) => markAuthorizationVoided(em, transfer.id, context.now()));
  return { result: 'settled' };
}

async function readDisputes(context: JobContext, transferId: string): Promise<Dispute[]> {
  await syncDisputes(context, transferId);
  return findDisputes(context.database.fork(), transferId);
}

/** Returns Stripe's error if nothing was refunded. A full refund cannot be made twice, so nothing has to be read. */
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
    if ((error as { code?: string }).code === 'charge_already_refunded') return undefined;
    if (isStoredFailure(error) || isRefusal(error)) return error;
    throw error;
  }
}

/**
 * Cancels the payment intent of a transfer. The key contains the reason, because Stripe rejects a key with other data.
 * An intent that is already cancelled or captured is no error: the caller reads it again. Returns a failure that Stripe
 * would repeat for this key, or its rejection of the request.
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
    if (isStaleView(error)) return undefined;
    if (isStoredFailure(error) || isRefusal(error)) return error;
    throw error;
  }
}
