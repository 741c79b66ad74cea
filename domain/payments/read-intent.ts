import { Stripe } from 'stripe';
import { paymentFact } from '#core/operations/reducer';
import { NonRetryableError } from '#platform/queues/retry';
import type { JobContext } from '../jobs/job-context.ts';
import type { Attempt } from '../provider-calls/attempt.ts';
import type { Transfer } from '../transfers/transfer.repository.ts';

/**
 * The payment intent of a transfer, read with its charge.
 * @throws NonRetryableError when it does not belong to this transfer.
 */
export async function readIntent(context: JobContext, transfer: Transfer): Promise<Stripe.PaymentIntent> {
  if (!transfer.paymentIntentId) throw new NonRetryableError('the transfer has no payment intent');
  return checkIntent(
    transfer,
    await context.stripe.paymentIntents.retrieve(transfer.paymentIntentId, { expand: ['latest_charge'] }),
  );
}

/** Checks that an intent belongs to the transfer. @throws NonRetryableError otherwise. */
export function checkIntent(transfer: Transfer, intent: Stripe.PaymentIntent): Stripe.PaymentIntent {
  const same =
    intent.metadata.transfer_id === transfer.id &&
    intent.amount === Number(transfer.amountMinor) &&
    intent.currency === transfer.currency.toLowerCase();
  if (!same) throw new NonRetryableError('the payment intent does not match the transfer');
  return intent;
}

/** Whether the whole amount of an intent was received. */
export function isCharged({ status, amount, amount_received: amountReceived }: Stripe.PaymentIntent): boolean {
  return paymentFact({ status, amount, amountReceived }) === 'payment_charged';
}

/** The charge of an intent read by `readIntent`. */
export function chargeOf(intent: Stripe.PaymentIntent): Stripe.Charge | null {
  return typeof intent.latest_charge === 'object' ? intent.latest_charge : null;
}

/** Whether Stripe rejected a request because our view of the payment is outdated: it has to be read again. */
export function isStaleView(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError &&
    ['payment_intent_unexpected_state', 'charge_expired_for_capture', 'charge_already_captured'].includes(
      error.code ?? '',
    )
  );
}

/**
 * Whether Stripe answered with an internal failure. It keeps such an answer for a day and repeats it for the same key;
 * a reading shows whether anything happened.
 */
export function isStoredFailure(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeAPIError && (error.statusCode ?? 0) >= 500;
}

/** The result of an attempt that a reading confirmed to have had no effect, by Stripe's answer to it. */
export function undoneBy(failure: unknown): Attempt {
  const error = String(failure);
  if (isStoredFailure(failure)) return { result: 'again', error, providerFailed: true };
  // Our balance at Stripe does not cover a refund now; new payments arrive every day.
  const lacksMoney = failure instanceof Stripe.errors.StripeError && failure.code === 'balance_insufficient';
  return lacksMoney ? { result: 'again', error, later: true } : { result: 'refused', error };
}
