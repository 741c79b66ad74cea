import type { Stripe } from '@stripe/stripe-js';
import { useQueryClient } from '@tanstack/react-query';
import { type Dispatch, useEffect, useEffectEvent, useReducer, useRef, useState } from 'react';
import type { QuoteView } from '#core/contracts/http/rates';
import { useOptionalQuery } from '../../data/optional-query.ts';
import { type Offer, type PreparedPayment, paymentConfigQuery } from '../../data/payments.ts';
import { noticeEndOfSession } from '../../data/query-client.ts';
import { publicKey, sessionKey } from '../../data/query-keys.ts';
import { ratesQuery } from '../../data/rates.ts';
import { recipientKeys } from '../../data/sender-query-keys.ts';
import { refreshTransfers, transferQuery, writeTransfer } from '../../data/transfers.ts';
import { ApiFailure, isSignedOut } from '../../lib/http.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { NextTier } from '../shared/next-tier.ts';
import { type CardMethod, loadCardProvider, paymentElement, RateMoved } from './card-method.tsx';
import { confirmCard, type EnteredCard, findOutcome, PaymentNotMade, PaymentUnrecorded } from './card-payment.ts';
import {
  type Accepted,
  beginPayment,
  isUnresolved,
  type OpenFailure,
  type PaymentEvent,
  type PaymentState,
  paymentReducer,
} from './payment-reducer.ts';
import { rememberWhile } from './return-address.ts';

/** More than a card takes without 3-D Secure; with it, nothing is lost by asking our server meanwhile. */
const answerMsMax = 60_000;

/** A payment under way: where it stands, and what the sender can do. */
export interface Payment {
  readonly state: PaymentState;
  /** The provider's object, once its script is loaded. */
  readonly stripe: Stripe | null;
  /** Asks the card. */
  submit(card: EnteredCard): void;
  /** The provider's fields did not load. */
  failForm(): void;
  retry(): void;
  /** Accepts the quote that the rate moved to. */
  acceptQuote(): void;
  /** Goes over to a payment with a better quote, once that is open; the one left behind is never paid, and expires. */
  changeTo(quote: QuoteView): void;
}

/** Runs one payment from the accepted quote to the recorded transfer: does the work of each state of the reducer. */
export function usePayment(offer: Offer, method: CardMethod = paymentElement): Payment {
  const queryClient = useQueryClient();
  const [state, dispatch] = useReducer(paymentReducer, offer, beginPayment);
  const [keys] = useState(newUuid);
  const [stripe, setStripe] = useState<Stripe | null>(null);
  const entered = useRef<EnteredCard | null>(null);

  const open = async ({ quote, request, opened }: Accepted) => {
    const payment = opened ?? (await method.open({ offer, quote, key: `${keys}-${request}` }));
    // The first transfer taught the server the date of birth: the form need not ask again.
    void queryClient.invalidateQueries({ queryKey: sessionKey });
    return payment;
  };
  const loadProvider = async () =>
    setStripe(await loadCardProvider(await queryClient.ensureQueryData(paymentConfigQuery)));

  const paymentIn = (...names: readonly PaymentState['name'][]) =>
    'payment' in state && names.includes(state.name) ? state.payment : null;
  const slow = state.name === 'confirming' && state.slow;
  const change = state.name === 'form' && state.change.is === 'asking' ? state.change.to : null;

  useWork(dispatch, state.name === 'opening' ? state.accepted : null, async (accepted, report) => {
    try {
      const [payment] = await Promise.all([open(accepted), loadProvider()]);
      report({ type: 'opened', payment });
    } catch (error) {
      noticeEndOfSession(error);
      if (error instanceof RateMoved) void queryClient.invalidateQueries({ queryKey: ratesQuery.queryKey });
      report(
        error instanceof RateMoved
          ? { type: 'rate_moved', offered: error.offered }
          : { type: 'open_failed', failure: failureOf(error) },
      );
    }
  });
  useWork(dispatch, change, async (accepted, report) => {
    try {
      report({ type: 'change_opened', payment: await open(accepted) });
    } catch (error) {
      noticeEndOfSession(error);
      const moved = error instanceof RateMoved;
      if (moved) void queryClient.invalidateQueries({ queryKey: publicKey });
      report({ type: 'change_failed', failure: moved ? 'moved_again' : failureOf(error) });
    }
  });
  useWork(dispatch, paymentIn('confirming'), async ({ clientSecret }, report) => {
    const card = entered.current;
    if (!card) return;
    const problem = await method.check(card);
    const outcome = problem
      ? ({ kind: 'declined', problem } as const)
      : await confirmCard(() => method.ask(card, clientSecret));
    report({ type: 'card_answered', outcome });
  });
  useWork(dispatch, slow ? null : paymentIn('confirming'), async (_payment, report, signal) => {
    const timer = setTimeout(() => report({ type: 'card_slow' }), answerMsMax);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
  const findOut = async (
    { paymentIntentId }: PreparedPayment,
    report: Report,
    options: Parameters<typeof findOutcome>[1],
  ) => {
    try {
      report({ type: 'outcome_found', outcome: await findOutcome(paymentIntentId, options) });
    } catch (error) {
      if (options.signal?.aborted) return;
      noticeEndOfSession(error);
      report({ type: isSignedOut(error) ? 'session_ended' : 'outcome_refused' });
    }
    void refreshTransfers(queryClient);
  };
  useWork(dispatch, slow ? paymentIn('confirming') : null, (payment, report, signal) =>
    findOut(payment, report, { signal, final: true }),
  );
  useWork(dispatch, paymentIn('checking'), (payment, report, signal) => findOut(payment, report, { signal }));
  useWork(dispatch, paymentIn('recording'), async (payment, report, signal) => {
    try {
      const onProcessing = () => report({ type: 'processing' });
      writeTransfer(queryClient, await method.record(payment, { signal, onProcessing }));
      // Whom something was sent to last stands first among the choices.
      void queryClient.invalidateQueries({ queryKey: recipientKeys.all });
      report({ type: 'recorded' });
    } catch (error) {
      if (signal.aborted) return;
      report(recordingFailed(error));
      void refreshTransfers(queryClient);
    }
  });
  const paidElsewhere = usePaidElsewhere(slow ? paymentIn('confirming') : paymentIn('form'));
  useEffect(() => {
    if (paidElsewhere) dispatch({ type: 'outcome_found', outcome: 'held' });
  }, [paidElsewhere]);
  const unresolved = isUnresolved(state) && 'payment' in state ? state.payment.paymentIntentId : null;
  useEffect(() => rememberWhile(unresolved), [unresolved]);

  return {
    state,
    stripe,
    submit: (card) => {
      entered.current = card;
      dispatch({ type: 'submitted' });
    },
    failForm: () => dispatch({ type: 'form_failed' }),
    retry: () => dispatch({ type: 'retried' }),
    acceptQuote: () => dispatch({ type: 'quote_accepted' }),
    changeTo: (quote) => dispatch({ type: 'change_asked', quote }),
  };
}

type Report = Dispatch<PaymentEvent>;

/** Does the work of a state when it is entered. What the work reports counts only while the state lasts. */
function useWork<Of extends object>(
  dispatch: Dispatch<PaymentEvent>,
  of: Of | null,
  work: (of: Of, report: Report, signal: AbortSignal) => Promise<void>,
): void {
  const run = useEffectEvent(work);
  useEffect(() => {
    if (!of) return;
    const left = new AbortController();
    const report = (event: PaymentEvent) => {
      if (!left.signal.aborted) dispatch(event);
    };
    void run(of, report, left.signal);
    return () => left.abort();
  }, [of, dispatch]);
}

/** Whether the payment was made in another tab: a push says so. */
function usePaidElsewhere(payment: PreparedPayment | null): boolean {
  const data = useOptionalQuery({ ...transferQuery(payment?.transferId ?? ''), enabled: false });
  return payment !== null && data !== undefined && data.paidAt !== null;
}

const failureOf = (error: unknown): OpenFailure =>
  error instanceof ApiFailure
    ? { code: error.code, message: error.userMessage, next: error.details.next as NextTier | null | undefined }
    : { code: 'form_not_loaded' };

function recordingFailed(error: unknown): PaymentEvent {
  if (error instanceof PaymentNotMade) return { type: 'not_made', status: error.status };
  const cause = error instanceof PaymentUnrecorded ? error.cause : error;
  noticeEndOfSession(cause);
  if (isSignedOut(cause)) return { type: 'session_ended' };
  return { type: 'record_failed', gaveUp: error instanceof PaymentUnrecorded ? error.gaveUp : 'confirmation' };
}
