import type { Stripe } from 'stripe';
import type { JobContext } from '../job-context.ts';
import type { Attempt } from '../operations/attempt.ts';
import type { Operation } from '../operations/operation.repository.ts';
import { moveAtOnce } from '../transfers/move-transfer.ts';
import type { Transfer } from '../transfers/transfer.repository.ts';
import { applyIntent } from './apply-intent.ts';
import { checkIntent, isCharged, isStaleView, isStoredFailure, readIntent } from './read-intent.ts';

/**
 * Captures the authorized amount of an approved transfer. Where the sender cancelled, the void that was asked for decides. Stripe's answer
 * that it is charged stays true for ever, so it needs no reading; after any other one only a fresh reading counts. Once captured,
 * payouts/pay-out.ts comes next.
 */
export async function capturePayment(context: JobContext, operation: Operation, transfer: Transfer): Promise<Attempt> {
  if (transfer.state !== 'approved' || transfer.cancelRequestedAt) return { result: 'unneeded' };
  let answer: Stripe.PaymentIntent | undefined;
  let stored: unknown;
  try {
    const { idempotencyKey } = operation;
    answer = await context.stripe.paymentIntents.capture(String(transfer.paymentIntentId), {}, { idempotencyKey });
  } catch (error) {
    if (isStoredFailure(error)) stored = error;
    else if (!isStaleView(error)) throw error;
  }
  const charged = answer && isCharged(answer) ? checkIntent(transfer, answer) : null;
  if (charged && (await moveAtOnce(context.database, transfer, 'capture', { at: context.now() }))) {
    return { result: 'done' };
  }
  const intent = charged ?? (await readIntent(context, transfer));
  if (stored && intent.status === 'requires_capture') return { result: 'again', error: String(stored) };
  await applyIntent(context, transfer, intent);
  return { result: 'settled' };
}
