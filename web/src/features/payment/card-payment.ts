import type { PaymentIntentResult, Stripe, StripeElements, StripeError } from '@stripe/stripe-js';
import type { TransferView } from '#core/contracts/http/transfers';
import { ApiFailure, call } from '../../lib/http.ts';
import { paths } from '../../lib/paths.ts';
import type { PaymentMessages } from './payment-messages.ts';
import type { PaymentStyle } from './payment-style.ts';

/**
 * How an attempt to pay ended: the card holds the money; it certainly does not, with the message to show; this payment is
 * over; it was never opened, which the page already knows; or nobody knows, because the answer got lost or makes no sense.
 */
export type CardOutcome =
  | { kind: 'held' }
  | { kind: 'declined'; message: string }
  | { kind: 'gone' }
  | { kind: 'not_opened' }
  | { kind: 'unknown'; message: string };

/** What our server says became of a payment whose outcome the browser does not know. */
export type FoundOutcome = 'held' | 'declined' | 'gone';

interface Confirmation {
  readonly stripe: Stripe;
  readonly elements: StripeElements;
  /** The payment's client secret, opening the payment first where that is the style; null when that did not work. */
  readonly secret: () => Promise<string | null>;
  readonly style: PaymentStyle;
  readonly messages: PaymentMessages;
}

/** Hands the card form to the provider, which also asks the bank's question (3-D Secure) by itself. Never throws. */
export async function confirmCard(confirmation: Confirmation): Promise<CardOutcome> {
  const { elements, secret, style, messages } = confirmation;
  let confirming = false;
  try {
    if (style.element === 'payment') {
      const { error: incomplete } = await elements.submit();
      if (incomplete) return { kind: 'declined', message: incompleteMessage(incomplete, messages) };
    }
    const clientSecret = await secret();
    if (clientSecret === null) return { kind: 'not_opened' };
    confirming = true;
    const { error } = await confirm(confirmation, clientSecret);
    return error ? judge(error, messages) : { kind: 'held' };
  } catch {
    return { kind: confirming ? 'unknown' : 'declined', message: messages.unexpectedRetry };
  }
}

async function confirm({ stripe, elements, style }: Confirmation, clientSecret: string): Promise<PaymentIntentResult> {
  if (style.element === 'card') {
    const card = elements.getElement('card');
    if (!card) throw new Error('the card form is not there');
    return stripe.confirmCardPayment(clientSecret, { payment_method: { card } });
  }
  const payment = { elements, clientSecret, confirmParams: { return_url: returnAddress() } };
  if (style.redirect === 'always') return stripe.confirmPayment(payment);
  return stripe.confirmPayment({ ...payment, redirect: 'if_required' });
}

/** Where the provider brings the person back to, knowing where they came from. */
function returnAddress(): string {
  const { origin, pathname, search } = window.location;
  const address = new URL(paths.paymentSuccess, origin);
  address.searchParams.set('from', pathname + search);
  return address.href;
}

function judge(error: StripeError, messages: PaymentMessages): CardOutcome {
  switch (error.payment_intent?.status) {
    // Another tab, or an answer that got lost: the money is held already.
    case 'requires_capture':
    case 'succeeded':
      return { kind: 'held' };
    case 'canceled':
      return { kind: 'gone' };
    default:
      return judgeByType(error, messages);
  }
}

/** Stripe calls a failed 3-D Secure check an invalid request, but it is the card holder who has to read about it. */
const challengeFailed = 'payment_intent_authentication_failure';

function judgeByType(error: StripeError, messages: PaymentMessages): CardOutcome {
  if (isForCardHolder(error)) return { kind: 'declined', message: error.message ?? messages.declined };
  // An error without the payment's status says nothing about the card: the answer may have been lost after the hold.
  return { kind: error.payment_intent ? 'declined' : 'unknown', message: messages.unexpected };
}

const incompleteMessage = (error: StripeError, messages: PaymentMessages) =>
  isForCardHolder(error) ? (error.message ?? messages.declined) : messages.unexpected;

const isForCardHolder = ({ type, code }: StripeError) =>
  type === 'card_error' || type === 'validation_error' || code === challengeFailed;

const pollMs = 2000;
const triesMax = 5;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The payment stands otherwise than paid: nothing was held, and the person may try again. */
export class PaymentNotMade extends Error {
  /** The provider's word, "requires_payment_method". */
  readonly status: string;

  constructor(status: string) {
    super(`payment ${status}`);
    this.name = 'PaymentNotMade';
    this.status = status;
  }
}

/** The card was confirmed, but our server answered neither the status call nor the confirmation. */
export class PaymentUnrecorded extends Error {
  readonly gaveUp: 'status' | 'confirmation';

  constructor(gaveUp: 'status' | 'confirmation', cause: unknown) {
    super(`the payment's ${gaveUp} failed`, { cause });
    this.name = 'PaymentUnrecorded';
    this.gaveUp = gaveUp;
  }
}

/**
 * Tells the server that the card was confirmed; it looks for itself. Should this browser never get here, the provider's
 * webhook does the same. Asks every two seconds for as long as the provider is at it (specification, section 4) or until
 * `signal` ends it, and tries a few times when nobody answers. `onProcessing` is called once, when it takes longer.
 * @throws PaymentNotMade for any other status, PaymentUnrecorded or the signal's reason when it could not be recorded.
 */
export async function recordPayment(
  paymentIntentId: string,
  options: { onProcessing?: () => void; signal?: AbortSignal; wait?: (ms: number) => Promise<unknown> } = {},
): Promise<TransferView> {
  const { onProcessing, signal, wait = pause } = options;
  let failed = 0;
  let reported = false;
  for (;;) {
    signal?.throwIfAborted();
    let asking: PaymentUnrecorded['gaveUp'] = 'status';
    try {
      const { status } = await call('paymentStatus', { params: { paymentIntentId } });
      if (status === 'succeeded') {
        asking = 'confirmation';
        const { transaction } = await call('confirmTransaction', { body: { paymentIntentId } });
        return transaction;
      }
      if (status !== 'processing' && status !== 'requires_action') throw new PaymentNotMade(status);
      if (!reported) onProcessing?.();
      reported = true;
    } catch (error) {
      failed += 1;
      if (error instanceof PaymentNotMade) throw error;
      if (!mayPass(error) || failed >= triesMax) throw new PaymentUnrecorded(asking, error);
    }
    await wait(pollMs);
  }
}

/**
 * Asks our server, which asks the provider, what became of a payment whose outcome is unknown. While nobody answers it asks
 * again every two seconds without end: only an answer allows to say whether the person may pay again.
 * @throws ApiFailure when the server refuses to say, the reason of `signal` when it aborts.
 */
export async function findOutcome(
  paymentIntentId: string,
  { signal, wait = pause }: { signal: AbortSignal; wait?: (ms: number) => Promise<unknown> },
): Promise<FoundOutcome> {
  for (;;) {
    signal.throwIfAborted();
    try {
      const { status } = await call('paymentStatus', { params: { paymentIntentId }, signal });
      if (status === 'succeeded' || status === 'processing') return 'held';
      return status === 'canceled' ? 'gone' : 'declined';
    } catch (error) {
      if (signal.aborted || !mayPass(error)) throw error;
    }
    await wait(pollMs);
  }
}

const mayPass = (error: unknown) => error instanceof ApiFailure && (error.status === 0 || error.status >= 500);
