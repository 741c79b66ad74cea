import type { Stripe, StripeElements, StripeError } from '@stripe/stripe-js';
import { endpoints } from '#core/contracts/http/endpoints';
import type { TransferView } from '#core/contracts/http/transfers';
import { ApiFailure, call } from '../../lib/http.ts';
import { paths } from '../../lib/paths.ts';

/** How a try to pay ended: the card holds the money; it did not, with the sentence to show; or this payment is over. */
export type CardOutcome = { kind: 'held' } | { kind: 'declined'; sentence: string } | { kind: 'gone' };

const unexpected = 'Ocurrió un error inesperado. Por favor, inténtalo de nuevo.';

/** Hands the card form to the provider, which also asks the bank's question (3-D Secure) by itself. Never throws. */
export async function confirmCard(
  stripe: Stripe,
  elements: StripeElements,
  clientSecret: string,
): Promise<CardOutcome> {
  try {
    const { error: incomplete } = await elements.submit();
    if (incomplete) return { kind: 'declined', sentence: sentenceOfCard(incomplete) };
    const { error } = await stripe.confirmPayment({
      elements,
      clientSecret,
      confirmParams: { return_url: new URL(paths.paymentSuccess, window.location.origin).href },
      redirect: 'if_required',
    });
    return error ? judge(error) : { kind: 'held' };
  } catch {
    return { kind: 'declined', sentence: unexpected };
  }
}

function judge(error: StripeError): CardOutcome {
  switch (error.payment_intent?.status) {
    // Another tab, or an answer that got lost: the money is held already.
    case 'requires_capture':
    case 'succeeded':
      return { kind: 'held' };
    case 'canceled':
      return { kind: 'gone' };
    default:
      return { kind: 'declined', sentence: sentenceOfCard(error) };
  }
}

/** Stripe calls a failed 3-D Secure check an invalid request, but it is the card holder who has to read about it. */
const challengeFailed = 'payment_intent_authentication_failure';

function sentenceOfCard(error: StripeError): string {
  const forThePerson =
    error.type === 'card_error' || error.type === 'validation_error' || error.code === challengeFailed;
  if (forThePerson) return error.message ?? 'Error en el pago';
  return 'Ocurrió un error inesperado';
}

const pollMs = 2000;
const triesMax = 5;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Tells the server that the card was confirmed; it looks for itself. Should this browser never get here, the provider's
 * webhook does the same. Tries again while the payment is still being processed or nobody answers.
 * @throws ApiFailure or Error when it could not be recorded from here.
 */
export async function recordPayment(paymentIntentId: string, wait = pause): Promise<TransferView> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { status } = await call(endpoints.paymentStatus, { params: { paymentIntentId } });
      if (status === 'succeeded') {
        const { transaction } = await call(endpoints.confirmTransaction, { body: { paymentIntentId } });
        return transaction;
      }
      if (status !== 'processing' && status !== 'requires_action') throw new Error(`payment ${status}`);
      if (attempt >= triesMax) throw new Error(`payment still ${status}`);
    } catch (error) {
      if (!mayPass(error) || attempt >= triesMax) throw error;
    }
    await wait(pollMs);
  }
}

const mayPass = (error: unknown) => error instanceof ApiFailure && (error.status === 0 || error.status >= 500);

/** A new key for the Idempotency-Key header. `crypto.randomUUID` is missing on plain-http addresses, this is not. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
