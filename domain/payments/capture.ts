import type { Stripe } from 'stripe';
import { isRefusal } from '#platform/stripe-errors';
import { claimMovement } from '../holds/claim-movement.ts';
import type { JobContext } from '../jobs/job-context.ts';
import type { Attempt } from '../provider-calls/attempt.ts';
import type { Operation } from '../provider-calls/operation.repository.ts';
import { findTransfer } from '../transfers/transfer.repository.ts';
import { applyIntent } from './apply-intent.ts';
import { checkIntent, isCharged, isStaleView, isStoredFailure, readIntent, undoneBy } from './read-intent.ts';

/**
 * Captures the authorized amount of an approved transfer. If the sender cancelled, the requested void decides. Stripe's
 * answer that it is charged is final, so it needs no reading; after any other answer only a fresh reading counts, which
 * also confirms that a rejected capture charged nothing. After the capture, payouts/pay-out.ts continues.
 */
export async function capturePayment(context: JobContext, operation: Operation): Promise<Attempt> {
  const claim = await claimMovement(context, operation, 'capture', {
    states: ['approved'],
    begin: async (_, locked) => (locked.cancelRequestedAt ? null : locked),
  });
  if ('instead' in claim) {
    const { instead } = claim;
    return instead.result === 'waiting' && operation.sentAt ? readHeld(context, operation, instead) : instead;
  }
  const { transfer } = claim;
  let answer: Stripe.PaymentIntent | undefined;
  let failure: unknown;
  try {
    const { idempotencyKey } = operation;
    answer = await context.stripe.paymentIntents.capture(String(transfer.paymentIntentId), {}, { idempotencyKey });
  } catch (error) {
    if (isStoredFailure(error) || (isRefusal(error) && !isStaleView(error))) failure = error;
    else if (!isStaleView(error)) throw error;
  }
  const charged = answer && isCharged(answer) ? checkIntent(transfer, answer) : null;
  const intent = charged ?? (await readIntent(context, transfer));
  if (failure && intent.status === 'requires_capture') return undoneBy(failure);
  await applyIntent(context, transfer, intent);
  return { result: 'settled' };
}

/**
 * Reads the payment of a sent capture that is now held: before giving the transfer up, it must be known whether the
 * card was charged.
 */
async function readHeld(
  context: JobContext,
  { transferId }: Operation,
  instead: Attempt & { result: 'waiting' },
): Promise<Attempt> {
  const transfer = await findTransfer(context.database.fork(), transferId);
  if (!transfer) return instead;
  const intent = await readIntent(context, transfer);
  if (intent.status === 'requires_capture') return { ...instead, undone: true };
  if (!isCharged(intent) && intent.status !== 'canceled') return instead;
  await applyIntent(context, transfer, intent);
  return { result: 'settled' };
}

/** Reads the payment before a capture is given up. Null: Stripe does not answer, or has not finished. */
export async function readAtTheEnd(
  context: JobContext,
  { id, transferId, lastError }: Operation,
): Promise<Attempt | null> {
  const transfer = await findTransfer(context.database.fork(), transferId);
  if (!transfer) return null;
  try {
    const intent = await readIntent(context, transfer);
    if (intent.status === 'requires_capture')
      return { result: 'again', error: `${lastError}; the card is not charged` };
    if (intent.status === 'processing') return null;
    await applyIntent(context, transfer, intent);
    return { result: 'settled' };
  } catch (error) {
    context.log.warn({ err: error, operationId: id }, 'the outcome of a capture at Stripe is unknown');
    return null;
  }
}
