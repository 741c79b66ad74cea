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
 * Captures the authorized amount of an approved transfer. Where the sender cancelled, the void that was requested decides. Stripe's answer
 * that it is charged stays true for ever, so it needs no reading; after any other one only a fresh reading counts: it also confirms that a
 * capture which Stripe refused charged nothing. Once captured, payouts/pay-out.ts comes next.
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

/** Reads the payment of a capture that was sent and is held now: whether the card is charged must be known before the transfer is given up. */
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

/** Before a capture is given up the payment is read. Null: Stripe does not tell, or is not done with it. */
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
    context.log.warn({ err: error, operationId: id }, 'Stripe does not tell what became of a capture');
    return null;
  }
}
