import type { StripeElementsOptions } from '@stripe/stripe-js';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { QuoteView } from '#core/contracts/http/rates';
import { parseMinor } from '#core/money/money';
import { paths } from '../../lib/paths.ts';
import { CardForm } from '../payment/card-form.tsx';
import { type CardMethod, paymentElement } from '../payment/card-method.tsx';
import { type EnteredCard, findIncompleteField } from '../payment/card-payment.ts';
import { CheckoutPaymentFrame, CheckoutScreens } from '../payment/checkout-payment.tsx';
import type { CheckoutPaymentProps } from '../payment/checkout-plan.ts';
import type { CardProblem } from '../payment/payment-reducer.ts';
import { RateNotice } from '../payment/rate-notice.tsx';
import { usePayment } from '../payment/use-payment.ts';

/**
 * The card form comes before the payment: Elements are made for an amount, and the payment is opened when the sender pays.
 * The payment itself is the usual one; it only waits with opening until the card was entered.
 */
export function DeferredCheckoutPayment(props: CheckoutPaymentProps) {
  const { plan, offer } = props;
  const gate = useRef(Promise.withResolvers<EnteredCard>());
  const [method] = useState<CardMethod>(() => ({
    ...paymentElement,
    async open(opening) {
      await gate.current.promise;
      return paymentElement.open(opening);
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
    if (incomplete) setEntered(null);
    else gate.current.resolve(card);
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
