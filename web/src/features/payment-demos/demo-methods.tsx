import { CardElement } from '@stripe/react-stripe-js';
import type { StripeElementsOptions } from '@stripe/stripe-js';
import { QueryObserver } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { QuoteView } from '#core/contracts/http/rates';
import type { TransferView } from '#core/contracts/http/transfers';
import { parseMinor } from '#core/money/money';
import { type PreparedPayment, withProvenEmail } from '../../data/payments.ts';
import { queryClient } from '../../data/query-client.ts';
import { transferQuery } from '../../data/transfers.ts';
import { isSignedOut } from '../../lib/http.ts';
import { paths } from '../../lib/paths.ts';
import { senderCall } from '../../lib/sender-http.ts';
import { appearanceFor, CardForm } from '../payment/card-form.tsx';
import {
  type CardFieldsProps,
  type CardMethod,
  type Opening,
  openingRequest,
  paymentElement,
  RateMoved,
  returnAddress,
} from '../payment/card-method.tsx';
import { type EnteredCard, findIncompleteField, type Polling } from '../payment/card-payment.ts';
import { CheckoutPaymentFrame, CheckoutScreens } from '../payment/checkout-payment.tsx';
import type { CheckoutPaymentProps } from '../payment/checkout-plan.ts';
import type { CardProblem } from '../payment/payment-reducer.ts';
import { RateNotice } from '../payment/rate-notice.tsx';
import { usePayment } from '../payment/use-payment.ts';

/** The server is not told the rate that the sender saw; the quote it froze is compared here, and offered when it moved. */
export const withoutRate: CardMethod = {
  ...paymentElement,
  open: async (opening) =>
    asSeen(opening, await withProvenEmail(() => senderCall('createPaymentIntent', openingRequest(opening)))),
};

/** As `withoutRate`, through the call that takes only amount, currency and recipient. */
export const smallestCall: CardMethod = {
  ...paymentElement,
  open: async (opening) =>
    asSeen(opening, await withProvenEmail(() => senderCall('createDemoPayment', openingRequest(opening)))),
};

function asSeen({ quote }: Opening, payment: PreparedPayment): PreparedPayment {
  if (payment.quote.bs !== quote.bs) throw new RateMoved(payment.quote);
  return payment;
}

/** This browser notifies our server of nothing: the transfer itself shows that Stripe's webhook was received. */
export const confirmedByWebhook: CardMethod = {
  ...paymentElement,
  record: ({ transferId }, { onProcessing, signal }) => {
    onProcessing();
    return transferPaid(transferId, signal);
  },
};

const transferPollMs = 2000;

/** Waits until the transfer is paid: by push, or by asking every two seconds. @throws ApiFailure when the session ended. */
function transferPaid(transferId: string, signal: Polling['signal']): Promise<TransferView> {
  const observer = new QueryObserver(queryClient, { ...transferQuery(transferId), refetchInterval: transferPollMs });
  return new Promise<TransferView>((resolve, reject) => {
    const end = observer.subscribe(({ data, error }) => {
      const paid = data !== undefined && data.status !== 'awaiting_payment';
      if (!paid && !isSignedOut(error)) return;
      end();
      if (paid) resolve(data);
      else reject(error);
    });
    signal?.addEventListener('abort', end);
  });
}

/** Leaves for the return address after every payment, not only where a bank asks for it. */
export const alwaysRedirected: CardMethod = {
  ...paymentElement,
  ask: ({ stripe, elements }, clientSecret) =>
    stripe.confirmPayment({ elements, clientSecret, confirmParams: { return_url: returnAddress() } }),
};

/** The older Card Element. */
export const cardElement: CardMethod = {
  ...paymentElement,
  Fields: CardElementFields,
  // It belongs to no payment until it is confirmed, and checks its fields itself.
  fieldsFor: () => ({}),
  check: async () => null,
  ask: ({ stripe, elements }, clientSecret) => {
    const card = elements.getElement('card');
    if (!card) throw new Error('the card form is not there');
    return stripe.confirmCardPayment(clientSecret, { payment_method: { card } });
  },
};

/** It knows no appearance, only a style of its own. */
function CardElementFields({ dark, ...settings }: CardFieldsProps) {
  const options = useMemo(() => {
    const { colorText, colorTextSecondary, colorDanger } = appearanceFor(dark).variables ?? {};
    const base = { fontSize: '16px', color: colorText ?? '', '::placeholder': { color: colorTextSecondary ?? '' } };
    return { hidePostalCode: true, style: { base, invalid: { color: colorDanger ?? '' } } };
  }, [dark]);
  return <CardElement options={options} {...settings} />;
}

/**
 * The card form comes before the payment: Elements are made for an amount, and the payment is opened when the sender pays.
 * The payment itself is the usual one; it only waits with opening until the card was entered.
 */
export function DeferredCheckoutPayment(props: CheckoutPaymentProps) {
  const { plan, offer } = props;
  const gate = useRef(Promise.withResolvers<EnteredCard>());
  /** The card whose fields were checked before its payment was opened: a second check would open a wallet's sheet again. */
  const checked = useRef<EnteredCard | null>(null);
  const [method] = useState<CardMethod>(() => ({
    ...paymentElement,
    async open(opening) {
      await gate.current.promise;
      return paymentElement.open(opening);
    },
    async check(card) {
      const isChecked = checked.current === card;
      checked.current = null;
      return isChecked ? null : findIncompleteField(card);
    },
  }));
  const payment = usePayment(offer, method);
  const { state, stripe, submit } = payment;
  const [entered, setEntered] = useState<EnteredCard | null>(null);
  const [problem, setProblem] = useState<CardProblem | null>(null);
  const opening = state.name === 'opening';
  const open = state.name === 'form' ? state.payment : null;
  useEffect(() => {
    // What was entered before the payment was opened is paid with now; a later card is submitted by its button.
    if (!open || !entered) return;
    setEntered(null);
    submit(entered);
  }, [open, entered, submit]);
  useEffect(() => {
    // A quote that has to be accepted, or a failure: the next payment waits for its card again.
    if (opening || open) return;
    gate.current = Promise.withResolvers();
    setEntered(null);
  }, [opening, open]);
  const pay = async (card: EnteredCard) => {
    if (open) return submit(card);
    setEntered(card);
    const incomplete = await findIncompleteField(card);
    setProblem(incomplete);
    if (incomplete) {
      setEntered(null);
      return;
    }
    checked.current = card;
    gate.current.resolve(card);
  };
  const { quote } = state.accepted;
  const { amount, currency } = quote;
  const fieldsFor = useMemo(() => fieldsForAmount({ amount, currency }), [amount, currency]);
  const toPanel = useToPanel();
  const inForm = opening || state.name === 'form' || state.name === 'confirming' || state.name === 'checking';
  return (
    <CheckoutPaymentFrame {...props} payment={payment}>
      {inForm && stripe ? (
        <CardForm
          stripe={stripe}
          Fields={method.Fields}
          fieldsFor={fieldsFor}
          words={plan.words()}
          quote={quote}
          recipient={offer.recipient}
          figuresBeside={plan.arrangement === 'beside'}
          notice={
            state.name === 'form' && (
              <RateNotice accepted={state.payment.quote} change={state.change} onChange={payment.changeTo} />
            )
          }
          problem={state.name === 'form' ? state.problem : opening ? problem : null}
          busy={state.name === 'confirming' || state.name === 'checking' || entered !== null}
          checking={state.name === 'checking' || (state.name === 'confirming' && state.slow)}
          onSubmit={pay}
          onLoadError={payment.failForm}
          onLeave={toPanel}
          onCancel={props.onEdit}
        />
      ) : (
        <CheckoutScreens {...props} payment={payment} />
      )}
    </CheckoutPaymentFrame>
  );
}

function fieldsForAmount({ amount, currency }: Pick<QuoteView, 'amount' | 'currency'>): StripeElementsOptions {
  return {
    mode: 'payment',
    amount: Number(parseMinor(amount)),
    currency: currency.toLowerCase(),
    captureMethod: 'manual',
    allowedPaymentMethodTypes: ['card'],
  };
}

function useToPanel() {
  const navigate = useNavigate();
  return () => void navigate(paths.dashboard);
}
