import type { Stripe } from '@stripe/stripe-js';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { z } from 'zod';
import { endpoints } from '#core/contracts/http/endpoints';
import { type QuoteView, quoteView } from '#core/contracts/http/rates';
import type { FailureCode } from '#core/failures';
import { ApiFailure, call, sentenceOf } from '../../lib/http.ts';
import type { Offer } from '../../lib/offer.ts';
import { paymentConfigQuery } from '../../lib/payment-config.ts';
import { noticeEndOfSession } from '../../lib/query-client.ts';
import { ratesQuery } from '../../lib/rates.ts';
import { sessionKey } from '../../lib/session-storage.ts';
import { toastError } from '../../lib/toast.ts';
import { writeTransfer } from '../../lib/transfers.ts';
import { newIdempotencyKey, recordPayment } from './card-payment.ts';
import { loadCardProvider } from './stripe.ts';

export type PreparedPayment = z.output<typeof endpoints.createPaymentIntent.response>;

/** Where the payment dialog stands. */
export type PaymentStep =
  | { name: 'preparing' }
  | { name: 'retry'; sentence: string }
  /** Trying again cannot help: something in the form has to change. */
  | { name: 'refused'; sentence: string }
  | { name: 'rate_changed'; offered: QuoteView }
  | { name: 'form'; payment: PreparedPayment; stripe: Stripe }
  | { name: 'recording' }
  | { name: 'paid'; transferId: string }
  | { name: 'unrecorded' };

/** The quote the person accepted, and the key under which the server knows this very wish. */
interface Accepted {
  readonly quote: QuoteView;
  readonly key: string;
  readonly attempt: number;
}

const refusals: ReadonlySet<FailureCode | 'offline'> = new Set([
  'amount_too_small',
  'amount_too_large',
  'day_limit_reached',
  'month_limit_reached',
  'birth_date_required',
  'under_age',
  'not_found',
  'invalid_input',
  'rate_unavailable',
]);

const notStarted = 'No se pudo iniciar el proceso de pago. Por favor, intente nuevamente.';

/** Runs one payment from the accepted quote to the recorded transfer. */
export function usePayment(offer: Offer) {
  const queryClient = useQueryClient();
  const [accepted, setAccepted] = useState<Accepted>(() => accept(offer.quote));
  const [step, setStep] = useState<PaymentStep>({ name: 'preparing' });

  useEffect(() => {
    let current = true;
    setStep({ name: 'preparing' });
    Promise.all([
      queryClient.ensureQueryData(paymentConfigQuery).then(loadCardProvider),
      openPayment(offer, accepted),
    ]).then(
      ([stripe, payment]) => {
        // The first transfer taught the server the date of birth: the form need not ask again.
        void queryClient.invalidateQueries({ queryKey: sessionKey });
        if (current) setStep({ name: 'form', payment, stripe });
      },
      (error: unknown) => {
        if (!current) return;
        noticeEndOfSession(error);
        const next = stepAfter(error);
        setStep(next);
        if (next.name === 'retry') toastError('Error en el pago', notStarted);
        if (next.name === 'rate_changed') void queryClient.invalidateQueries({ queryKey: ratesQuery.queryKey });
      },
    );
    return () => {
      current = false;
    };
  }, [offer, accepted, queryClient]);

  /** The same wish again under the same key, so that nothing is opened twice; a wish that ran out needs a new one. */
  const retry = useCallback(() => setAccepted(({ quote, key, attempt }) => ({ quote, key, attempt: attempt + 1 })), []);
  const acceptQuote = useCallback((quote: QuoteView) => setAccepted(accept(quote)), []);
  const ranOut = useCallback(() => {
    setAccepted(({ quote }) => accept(quote));
  }, []);
  const record = useCallback(
    async (payment: PreparedPayment) => {
      setStep({ name: 'recording' });
      try {
        writeTransfer(queryClient, await recordPayment(payment.paymentIntentId));
        setStep({ name: 'paid', transferId: payment.transferId });
      } catch {
        setStep({ name: 'unrecorded' });
        void queryClient.invalidateQueries({ queryKey: ['transfers'] });
      }
    },
    [queryClient],
  );
  return { accepted: accepted.quote, step, retry, acceptQuote, ranOut, record };
}

const accept = (quote: QuoteView): Accepted => ({ quote, key: newIdempotencyKey(), attempt: 1 });

function openPayment({ recipient, birthDate }: Offer, { quote, key }: Accepted): Promise<PreparedPayment> {
  return call(endpoints.createPaymentIntent, {
    headers: { 'idempotency-key': key },
    body: {
      amount: quote.amount,
      currency: quote.currency.toLowerCase(),
      recipientId: recipient.id,
      exchangeRate: quote.rate,
      ...(birthDate && { birthDate }),
    },
  });
}

function stepAfter(error: unknown): PaymentStep {
  if (error instanceof ApiFailure && error.code === 'rate_changed') {
    const offered = quoteView.safeParse(error.details.quote);
    if (offered.success) return { name: 'rate_changed', offered: offered.data };
  }
  const sentence = sentenceOf(error);
  const refused = error instanceof ApiFailure && refusals.has(error.code);
  return { name: refused ? 'refused' : 'retry', sentence };
}
