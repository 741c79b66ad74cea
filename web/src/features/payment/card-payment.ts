import type { PaymentIntentResult, Stripe, StripeElements, StripeError } from '@stripe/stripe-js';
import type { TransferView } from '#core/contracts/http/transfers';
import { ApiFailure } from '../../lib/http.ts';
import { senderCall } from '../../lib/sender-http.ts';
import type { CardOutcome, CardProblem, FoundOutcome } from './payment-reducer.ts';

/** The provider's form with the sender's card in it. */
export interface EnteredCard {
  readonly stripe: Stripe;
  readonly elements: StripeElements;
}

/** Hands the card to the provider, which also asks the bank's question (3-D Secure) by itself. */
export type AskCard = (card: EnteredCard, clientSecret: string) => Promise<PaymentIntentResult>;

/** What is wrong with the fields of the form, or null when the card can be asked. Never throws. */
export async function findIncompleteField({ elements }: Pick<EnteredCard, 'elements'>): Promise<CardProblem | null> {
  try {
    const { error } = await elements.submit();
    if (!error) return null;
    return isForCardHolder(error) ? declined(error) : { code: 'unexpected' };
  } catch {
    return { code: 'form_broke' };
  }
}

/** Asks the card and understands the answer. Never throws. */
export async function confirmCard(ask: () => Promise<PaymentIntentResult>): Promise<CardOutcome> {
  try {
    const { error } = await ask();
    return error ? judge(error) : { kind: 'held' };
  } catch {
    return { kind: 'unknown', problem: { code: 'form_broke' } };
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
      return judgeByType(error);
  }
}

function judgeByType(error: StripeError): CardOutcome {
  if (isForCardHolder(error)) return { kind: 'declined', problem: declined(error) };
  // An error without the payment's status says nothing about the card: the answer may have been lost after the hold.
  return { kind: error.payment_intent ? 'declined' : 'unknown', problem: { code: 'unexpected' } };
}

/** Stripe calls a failed 3-D Secure check an invalid request, but it is the card holder who has to read about it. */
const challengeFailed = 'payment_intent_authentication_failure';

const isForCardHolder = ({ type, code }: StripeError) =>
  type === 'card_error' || type === 'validation_error' || code === challengeFailed;

const declined = ({ message }: StripeError): CardProblem => ({ code: 'declined', ...(message && { message }) });

const pollMs = 2000;
const triesMax = 5;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The payment stands otherwise than paid: nothing was held, and the sender may try again. */
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

/** How polling is ended and, in tests, sped up. */
export interface Polling {
  readonly signal?: AbortSignal;
  readonly wait?: (ms: number) => Promise<unknown>;
}

/**
 * Tells the server that the card was confirmed; it looks for itself. Should this browser never get here, the provider's
 * webhook does the same. Asks every two seconds for as long as the provider is at it (specification, section 4) or until
 * `signal` ends it, and tries a few times when nobody answers. `onProcessing` is called once, when it takes longer.
 * @throws PaymentNotMade for any other status, PaymentUnrecorded or the signal's reason when it could not be recorded.
 */
export async function recordPayment(
  paymentIntentId: string,
  { onProcessing, signal, wait = pause }: Polling & { onProcessing?: () => void } = {},
): Promise<TransferView> {
  let failed = 0;
  let reported = false;
  for (;;) {
    signal?.throwIfAborted();
    let asking: PaymentUnrecorded['gaveUp'] = 'status';
    try {
      const { status } = await senderCall('paymentStatus', { params: { paymentIntentId } });
      if (status === 'succeeded') {
        asking = 'confirmation';
        const { transaction } = await senderCall('confirmTransaction', { body: { paymentIntentId } });
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
 * again every two seconds without end: only an answer allows to say whether the sender may pay again. With `final` it also
 * goes on while the card may still be asked.
 * @throws ApiFailure when the server refuses to say, the reason of `signal` when it aborts.
 */
export async function findOutcome(
  paymentIntentId: string,
  { signal, wait = pause, final = false }: Polling & { final?: boolean },
): Promise<FoundOutcome> {
  for (;;) {
    signal?.throwIfAborted();
    try {
      const { status } = await senderCall('paymentStatus', { params: { paymentIntentId }, ...(signal && { signal }) });
      if (status === 'succeeded' || status === 'processing') return 'held';
      if (status === 'canceled') return 'gone';
      if (!final) return 'declined';
    } catch (error) {
      if (signal?.aborted || !mayPass(error)) throw error;
    }
    await wait(pollMs);
  }
}

const mayPass = (error: unknown) =>
  error instanceof ApiFailure && (error.status === 0 || error.status === 429 || error.status >= 500);
