import { PaymentElement } from '@stripe/react-stripe-js';
import type { Stripe, StripeElementsOptions } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure/index.js';
import type { ComponentType } from 'react';
import type { PaymentConfig } from '#core/contracts/http/payments';
import { type QuoteView, quoteView } from '#core/contracts/http/rates';
import type { TransferView } from '#core/contracts/http/transfers';
import { type Offer, type PreparedPayment, withProvenEmail } from '../../data/payments.ts';
import { ApiFailure } from '../../lib/http.ts';
import { language } from '../../lib/language.ts';
import { paths } from '../../lib/paths.ts';
import { insertScript } from '../../lib/provider-script.ts';
import { senderCall } from '../../lib/sender-http.ts';
import { type AskCard, type EnteredCard, findIncompleteField, type Polling, recordPayment } from './card-payment.ts';
import type { CardProblem } from './payment-reducer.ts';

/** A payment to open: for whom, at which quote, under which idempotency key. */
export interface Opening {
  readonly offer: Offer;
  readonly quote: QuoteView;
  readonly key: string;
}

/** The provider's fields, as the card form mounts them. */
export interface CardFieldsProps {
  readonly dark: boolean;
  readonly onReady: () => void;
  readonly onLoadError: () => void;
}

/**
 * How a payment by card is made: what opens it, which fields take the card, what asks the card, what records it. Whatever it
 * does, the server alone freezes the quote, asks Stripe how the payment stands and writes it down.
 */
export interface CardMethod {
  /** @throws RateMoved when the sender has to accept another quote first, ApiFailure otherwise. */
  readonly open: (opening: Opening) => Promise<PreparedPayment>;
  readonly Fields: ComponentType<CardFieldsProps>;
  /** What the provider's fields are made for. */
  readonly fieldsFor: (payment: PreparedPayment) => StripeElementsOptions;
  /** What is wrong with the entered card, before it is asked. */
  readonly check: (card: EnteredCard) => Promise<CardProblem | null>;
  readonly ask: AskCard;
  /** As `recordPayment`, for a payment whose card holds the money. */
  readonly record: (payment: PreparedPayment, options: Polling & { onProcessing: () => void }) => Promise<TransferView>;
}

/** The rate is no longer the one that the sender saw. */
export class RateMoved extends Error {
  readonly offered: QuoteView;

  constructor(offered: QuoteView) {
    super('the rate moved');
    this.name = 'RateMoved';
    this.offered = offered;
  }
}

/** What opening a payment sends: nothing of it is believed but who is to receive and how much is paid. */
export const openingRequest = ({ offer: { recipient, birthDate, reminderId }, quote, key }: Opening) => ({
  headers: { 'idempotency-key': key },
  body: {
    amount: quote.amount,
    currency: quote.currency.toLowerCase(),
    recipientId: recipient?.id ?? '',
    ...(birthDate && { birthDate }),
    ...(reminderId && { reminderId }),
  },
});

/** Stripe's Payment Element, asked on the page unless the bank wants the sender on its own. */
export const paymentElement: CardMethod = {
  async open(opening) {
    const { headers, body } = openingRequest(opening);
    try {
      const seen = { ...body, exchangeRate: opening.quote.rate };
      return await withProvenEmail(() => senderCall('createPaymentIntent', { headers, body: seen }));
    } catch (error) {
      throw error instanceof ApiFailure && error.code === 'rate_changed' ? rateMoved(error) : error;
    }
  },
  Fields: ({ onReady, onLoadError }) => (
    <PaymentElement options={{ layout: 'tabs' }} onReady={onReady} onLoadError={onLoadError} />
  ),
  fieldsFor: ({ clientSecret }) => ({ clientSecret }),
  check: findIncompleteField,
  ask: ({ stripe, elements }, clientSecret) =>
    stripe.confirmPayment({
      elements,
      clientSecret,
      confirmParams: { return_url: returnAddress() },
      redirect: 'if_required',
    }),
  record: ({ paymentIntentId }, options) => recordPayment(paymentIntentId, options),
};

function rateMoved(failure: ApiFailure): Error {
  const offered = quoteView.safeParse(failure.details.quote);
  return offered.success ? new RateMoved(offered.data) : failure;
}

/** Where the provider brings the sender back to, knowing where they came from. */
export function returnAddress(): string {
  const { origin, pathname, search } = window.location;
  const address = new URL(paths.paymentSuccess, origin);
  address.searchParams.set('from', pathname + search);
  return address.href;
}

// Never the bare package: importing it would load Stripe.js from Stripe at once, before we could say otherwise.

let loading: Promise<Stripe> | null = null;

/** Stripe's browser object, loaded once. @throws Error when the script does not come; the next call tries again. */
export function loadCardProvider(config: PaymentConfig): Promise<Stripe> {
  loading ??= load(config).catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function load({ scriptUrl, publishableKey }: PaymentConfig): Promise<Stripe> {
  if (scriptUrl && !('Stripe' in window)) await insertScript(scriptUrl);
  const stripe = await loadStripe(publishableKey, { locale: language() });
  if (!stripe) throw new Error('Stripe.js is not available');
  return stripe;
}
