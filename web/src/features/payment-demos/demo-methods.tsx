import { CardElement } from '@stripe/react-stripe-js';
import { QueryObserver } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { TransferView } from '#core/contracts/http/transfers';
import type { PreparedPayment } from '../../data/payments.ts';
import { queryClient } from '../../data/query-client.ts';
import { transferQuery } from '../../data/transfers.ts';
import { call, isSignedOut } from '../../lib/http.ts';
import { appearanceFor } from '../payment/card-form.tsx';
import {
  type CardFieldsProps,
  type CardMethod,
  type Opening,
  openingRequest,
  paymentElement,
  RateMoved,
  returnAddress,
} from '../payment/card-method.tsx';
import type { Polling } from '../payment/card-payment.ts';

/** The server is not told the rate that the sender saw; the quote it froze is compared here, and offered when it moved. */
export const withoutRate: CardMethod = {
  ...paymentElement,
  open: async (opening) => asSeen(opening, await call('createPaymentIntent', openingRequest(opening))),
};

/** As `withoutRate`, through the call that takes only amount, currency and recipient. */
export const smallestCall: CardMethod = {
  ...paymentElement,
  open: async (opening) => asSeen(opening, await call('createDemoPayment', openingRequest(opening))),
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
