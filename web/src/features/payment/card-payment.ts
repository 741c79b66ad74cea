import type { PaymentIntentResult, Stripe, StripeElements, StripeError } from '@stripe/stripe-js';
import type { CardOutcome, CardProblem } from './payment-reducer.ts';

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
