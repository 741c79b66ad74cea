import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { SendCurrency } from '#core/money/money';
import { formatRate, type Rate } from '#core/rates/rate';
import { isAmount, type QuoteQuestion, quoteQuery, rateQuery, useQuote } from '../../data/rates.ts';
import { ApiFailure } from '../../lib/http.ts';
import type { Figures } from '../shared/breakdown.tsx';
import { useQuestion } from '../shared/sending-amount.tsx';
import { estimate, lastTerms, ownRateOf, rateInForce, rememberTerms, type Terms, withOwnRate } from './estimate.ts';

/** What the calculator hands on: the server's figures for what was typed, as decimal texts; never an estimate. */
export interface CalculatedSending {
  readonly sendAmount: string;
  readonly rate: string;
  readonly netAmount: string;
  readonly bs: string;
  /** The fee, in `currency`. */
  readonly feeUSD: string;
  readonly currency: SendCurrency;
  readonly recipientId?: string;
  /** The bolivianos that have to arrive, where those were typed. */
  readonly receive?: string;
}

/** What the figures on screen are. */
export type Answer =
  /** Nothing typed that could be computed. */
  | { readonly kind: 'blank' }
  | { readonly kind: 'waiting' }
  /** The server has no rate, so there is nothing to compute with. */
  | { readonly kind: 'no-rate' }
  | { readonly kind: 'quote'; readonly figures: Figures; readonly estimatedDelivery: string }
  /** The server's fee with a rate the person typed; `ours` is what really arrives. */
  | { readonly kind: 'own-rate'; readonly figures: Figures; readonly ours: Figures }
  /** Computed without the server; `ours` is it with the rate last seen. */
  | {
      readonly kind: 'offline';
      readonly figures: Figures;
      readonly ours: Figures;
      readonly terms: Terms;
      readonly ownRate: boolean;
    };

/** The state of one calculator: what was typed, and an answer that always belongs to it. */
export function useCalculator() {
  const queryClient = useQueryClient();
  const [question, setQuestion] = useQuestion();
  const { amount, currency, side } = question;
  const [typedRate, setTypedRate] = useState<string | null>(null);
  const known = useQuery(rateQuery(currency));
  const { quote, error, retry } = useQuote(question);
  const inForce = rateInForce(known.data, quote);

  // A fetched or pushed rate overwrites what was typed into the field (specification, section 4); one that was asked for
  // behind the person's back, after a lost connection, only if it brings something new.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the arrival of a rate is what counts, and the currency's
  useEffect(() => setTypedRate(null), [known.data, currency]);
  useEffect(() => {
    if (quote) rememberTerms(quote, new Date().toISOString());
  }, [quote]);

  const own = ownRateOf(typedRate, inForce);
  const offline = error !== null && codeOf(error) !== 'rate_unavailable';
  const terms = offline ? lastTerms(currency) : null;
  const answer = answerOf();
  return {
    question,
    setQuestion,
    /** The server's answer, by which the sides change places. */
    quote,
    /** What the card pays, to compare others with; its amount is empty while that is not known. */
    paid: { amount: side === 'receive' ? paidIn(answer) : amount, currency },
    /** Text of the rate field; empty while no rate is known. */
    rateText: typedRate ?? inForce ?? (terms ? formatRate(terms.rate) : ''),
    setRateText: setTypedRate,
    /** Back to the server's rate. */
    forgetOwnRate: () => setTypedRate(null),
    /** The server's rate, which is the one a payment uses; null while unknown. */
    inForce,
    answer,
    /** When our rate was set; null while it is not known. */
    since: known.data?.lastUpdated ?? quote?.rateUpdatedAt ?? null,
    /** Payments in this currency are refused for now, because no rate of the market is recent enough. */
    paused: known.data?.paused ?? false,
    refresh: async () => {
      await Promise.all([known.refetch(), isAmount(amount) ? retry() : undefined]);
      setTypedRate(null);
    },
    refreshing: known.isFetching,
    /** The server's figures for exactly what is in the fields now. @throws ApiFailure */
    settle: async (): Promise<CalculatedSending> => {
      const { amount: paid, fee, netAmount, bs, rate } = await queryClient.fetchQuery(quoteQuery(question));
      const figures = { rate, netAmount, bs, feeUSD: fee, currency };
      return side === 'receive'
        ? { ...figures, sendAmount: paid, receive: amount }
        : { ...figures, sendAmount: amount };
    },
  };

  function answerOf(): Answer {
    if (!isAmount(amount) || own === 'empty') return { kind: 'blank' };
    if (codeOf(error ?? known.error) === 'rate_unavailable') return { kind: 'no-rate' };
    if (terms) return offlineAnswer(question, terms, own);
    // After a change of rate the old quote stays in the cache until the new one is there.
    if (!quote || quote.rate !== inForce) return { kind: 'waiting' };
    if (own !== null) return { kind: 'own-rate', figures: withOwnRate(quote, own), ours: quote };
    return { kind: 'quote', figures: quote, estimatedDelivery: quote.estimatedDelivery };
  }
}

const paidIn = (answer: Answer): string => ('figures' in answer ? answer.figures.amount : '');

function offlineAnswer(question: QuoteQuestion, terms: Terms, own: Rate | null): Answer {
  const ours = estimate(question, terms);
  if (!ours) return { kind: 'blank' };
  return { kind: 'offline', figures: own ? withOwnRate(ours, own) : ours, ours, terms, ownRate: own !== null };
}

const codeOf = (error: Error | null) => (error instanceof ApiFailure ? error.code : null);
