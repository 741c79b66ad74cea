import type { Stripe } from '@stripe/stripe-js';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type QuoteView, quoteView } from '#core/contracts/http/rates';
import type { Offer, PreparedPayment } from '../../data/payments.ts';
import { paymentConfigQuery } from '../../data/payments.ts';
import { noticeEndOfSession } from '../../data/query-client.ts';
import { publicKey, sessionKey } from '../../data/query-keys.ts';
import { ratesQuery } from '../../data/rates.ts';
import { refreshTransfers, writeTransfer } from '../../data/transfers.ts';
import { ApiFailure, type CallFailureCode, call, isSignedOut } from '../../lib/http.ts';
import { newIdempotencyKey } from '../../lib/idempotency-key.ts';
import { toastError } from '../../lib/toast.ts';
import { findOutcome, PaymentNotMade, PaymentUnrecorded, recordPayment } from './card-payment.ts';
import { type PaymentMessages, spanish } from './payment-messages.ts';
import { type PaymentStyle, usualStyle } from './payment-style.ts';
import { loadCardProvider } from './stripe.ts';

/** Where a payment stands. */
export type PaymentStep =
  | { name: 'preparing' }
  | { name: 'retry'; message: string }
  /** Trying again cannot help: something in the form has to change. */
  | { name: 'refused'; message: string }
  | { name: 'rate_changed'; offered: QuoteView }
  /** Without `payment` it is opened when the person presses pay. */
  | { name: 'form'; payment: PreparedPayment | null; stripe: Stripe }
  /** `processing`: the provider itself is not done yet. */
  | { name: 'recording'; processing: boolean }
  /** The card holds the money; our server is notified by the provider alone. */
  | { name: 'awaiting_webhook'; payment: PreparedPayment }
  | { name: 'paid'; payment: PreparedPayment }
  /** The provider says that nothing was held. */
  | { name: 'not_made'; payment: PreparedPayment; status: string }
  | { name: 'unrecorded'; gaveUp: PaymentUnrecorded['gaveUp'] }
  /** Nobody can say whether the card holds the money. */
  | { name: 'unknown' }
  /** The session ended after the card was asked; `held`: it is certain that the card accepted. */
  | { name: 'session_ended'; payment: PreparedPayment; held: boolean };

export type Payment = ReturnType<typeof usePayment>;

/** The quote the person accepted, and the idempotency key of that request. */
interface Accepted {
  readonly quote: QuoteView;
  readonly key: string;
  readonly attempt: number;
  /** Opened before this page, and gone on with. */
  readonly opened: PreparedPayment | null;
}

const refusals: ReadonlySet<CallFailureCode> = new Set([
  'amount_too_small',
  'amount_too_large',
  'day_limit_reached',
  'month_limit_reached',
  'too_many_unpaid_transfers',
  'birth_date_required',
  'under_age',
  'not_found',
  'invalid_input',
  'rate_unavailable',
  'payments_paused',
]);

/** Runs one payment from the accepted quote to the recorded transfer, in a page's style and language. */
export function usePayment(offer: Offer, style: PaymentStyle = usualStyle, messages: PaymentMessages = spanish) {
  const queryClient = useQueryClient();
  const [accepted, setAccepted] = useState<Accepted>(() => accept(offer.quote, offer.payment));
  const [step, setStep] = useState<PaymentStep>({ name: 'preparing' });
  const leaving = useRef(new AbortController());
  useEffect(() => {
    leaving.current = new AbortController();
    return () => leaving.current.abort();
  }, []);

  const fail = useCallback(
    (error: unknown) => {
      noticeEndOfSession(error);
      const next = stepAfter(error, messages);
      setStep(next);
      if (next.name === 'retry' && !isSignedOut(error)) toastError(...messages.notStarted);
      if (next.name === 'rate_changed') void queryClient.invalidateQueries({ queryKey: ratesQuery.queryKey });
    },
    [queryClient, messages],
  );
  const open = useCallback(async () => {
    const payment = await openPayment(offer, accepted, style);
    // The first transfer taught the server the date of birth: the form need not ask again.
    void queryClient.invalidateQueries({ queryKey: sessionKey });
    return payment;
  }, [offer, accepted, style, queryClient]);

  useEffect(() => {
    let current = true;
    setStep({ name: 'preparing' });
    Promise.all([
      queryClient.ensureQueryData(paymentConfigQuery).then(loadCardProvider),
      style.opens === 'before_form' ? open() : null,
    ]).then(
      ([stripe, payment]) => {
        if (current) setStep(movedQuote(payment, accepted) ?? { name: 'form', payment, stripe });
      },
      (error: unknown) => {
        if (current) fail(error);
      },
    );
    return () => {
      current = false;
    };
  }, [accepted, style, open, fail, queryClient]);

  /** For styles that open on submit: the opened payment, the same one for every later try; null when it was refused. */
  const openNow = useCallback(
    async (stripe: Stripe): Promise<PreparedPayment | null> => {
      try {
        const payment = await open();
        const moved = movedQuote(payment, accepted);
        setStep(moved ?? { name: 'form', payment, stripe });
        return moved ? null : payment;
      } catch (error) {
        fail(error);
        return null;
      }
    },
    [open, accepted, fail],
  );
  /** The same request again under the same key, so that nothing is opened twice; one that expired needs a new one. */
  const retry = useCallback(() => setAccepted((before) => ({ ...before, attempt: before.attempt + 1 })), []);
  const acceptQuote = useCallback((quote: QuoteView) => setAccepted(accept(quote)), []);
  /**
   * Opens a payment with a better quote beside the open one, and goes over to it only once that worked: opening it again
   * under the same key gives the same one. What is left behind is never paid, and expires.
   * @returns why it did not work, or null.
   */
  const changeTo = useCallback(
    async (quote: QuoteView): Promise<string | null> => {
      const request = accept(quote);
      try {
        await openPayment(offer, request, style);
        setAccepted(request);
        return null;
      } catch (error) {
        noticeEndOfSession(error);
        const next = stepAfter(error, messages);
        if (next.name === 'rate_changed') void queryClient.invalidateQueries({ queryKey: publicKey });
        const reason = 'message' in next ? next.message : messages.rateNotice.movedAgain;
        return `${reason} ${messages.rateNotice.stillYours}`;
      }
    },
    [offer, style, messages, queryClient],
  );
  /** The payment can no longer be paid, its quote ran out: opens another one, and says so, as the card has to be typed again. */
  const ranOut = useCallback(() => {
    toastError(...messages.renewed);
    setAccepted(({ quote }) => accept(quote));
  }, [messages]);
  const record = useCallback(
    async (payment: PreparedPayment) => {
      if (style.confirmedBy === 'webhook') return setStep({ name: 'awaiting_webhook', payment });
      setStep({ name: 'recording', processing: false });
      const { signal } = leaving.current;
      try {
        const onProcessing = () => setStep({ name: 'recording', processing: true });
        writeTransfer(queryClient, await recordPayment(payment.paymentIntentId, { signal, onProcessing }));
        setStep({ name: 'paid', payment });
      } catch (error) {
        if (signal.aborted) return;
        const gaveUp = error instanceof PaymentUnrecorded ? error.gaveUp : 'confirmation';
        const cause = error instanceof PaymentUnrecorded ? error.cause : error;
        noticeEndOfSession(cause);
        if (isSignedOut(cause)) setStep({ name: 'session_ended', payment, held: true });
        else if (error instanceof PaymentNotMade) setStep({ name: 'not_made', payment, status: error.status });
        else setStep({ name: 'unrecorded', gaveUp });
        void refreshTransfers(queryClient);
      }
    },
    [queryClient, style],
  );
  /** Asks the server what became of a payment whose answer got lost. @returns null when the step says what to show. */
  const resolveUnknown = useCallback(
    async (payment: PreparedPayment) => {
      const { signal } = leaving.current;
      try {
        return await findOutcome(payment.paymentIntentId, { signal });
      } catch (error) {
        if (signal.aborted) return null;
        noticeEndOfSession(error);
        setStep(isSignedOut(error) ? { name: 'session_ended', payment, held: false } : { name: 'unknown' });
        return null;
      } finally {
        void refreshTransfers(queryClient);
      }
    },
    [queryClient],
  );
  const webhookReceived = useCallback((payment: PreparedPayment) => setStep({ name: 'paid', payment }), []);
  const signedOut = useCallback(
    (payment: PreparedPayment) => setStep({ name: 'session_ended', payment, held: true }),
    [],
  );
  return {
    accepted: accepted.quote,
    step,
    retry,
    acceptQuote,
    changeTo,
    ranOut,
    openNow,
    record,
    resolveUnknown,
    webhookReceived,
    signedOut,
  };
}

const accept = (quote: QuoteView, opened: PreparedPayment | null = null): Accepted => ({
  quote,
  key: newIdempotencyKey(),
  attempt: 1,
  opened,
});

async function openPayment(
  { recipient, birthDate }: Offer,
  { quote, key, opened }: Accepted,
  { call: name, sendsRate }: PaymentStyle,
): Promise<PreparedPayment> {
  if (opened) return opened;
  return call(name, {
    headers: { 'idempotency-key': key },
    body: {
      amount: quote.amount,
      currency: quote.currency.toLowerCase(),
      recipientId: recipient?.id ?? '',
      ...(sendsRate && { exchangeRate: quote.rate }),
      ...(birthDate && { birthDate }),
    },
  });
}

/** A style that does not send the rate it showed finds out here that it moved: the frozen quote is offered, not applied. */
function movedQuote(payment: PreparedPayment | null, { quote }: Accepted): PaymentStep | null {
  if (!payment || payment.quote.bs === quote.bs) return null;
  return { name: 'rate_changed', offered: payment.quote };
}

function stepAfter(error: unknown, messages: PaymentMessages): PaymentStep {
  if (error instanceof ApiFailure && error.code === 'rate_changed') {
    const offered = quoteView.safeParse(error.details.quote);
    if (offered.success) return { name: 'rate_changed', offered: offered.data };
  }
  if (!(error instanceof ApiFailure)) return { name: 'retry', message: messages.formNotLoaded };
  const message = messages.failure(error.code, error.userMessage);
  return { name: refusals.has(error.code) ? 'refused' : 'retry', message };
}
