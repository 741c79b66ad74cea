import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { QuoteView, RateBoard } from '#core/contracts/http/rates';
import { parseMinor, type SendCurrency, sendCurrencies } from '#core/money/money';
import { call } from '../lib/http.ts';
import { askAgain, followLive } from '../lib/live.ts';
import { type AppQueryKey, quoteKeys, rateKeys } from './query-keys.ts';

/** How many days of history can be looked at. */
export type SeriesDays = 30 | 365;

/** Today's rates of both currencies. */
export const ratesQuery = queryOptions({
  queryKey: rateKeys.board,
  queryFn: ({ signal }) => call('getRates', { signal }),
});

/** Today's rate of one currency; asked for again whenever the currency is chosen. */
export const rateQuery = (currency: SendCurrency) =>
  queryOptions({
    queryKey: rateKeys.one(currency),
    queryFn: ({ signal }) => call('getRate', { params: { currency }, signal }),
    staleTime: 0,
  });

/** Rates over time, a point for every day. */
export const rateSeriesQuery = (currency: SendCurrency, days: SeriesDays) =>
  queryOptions({
    queryKey: rateKeys.series(currency, days),
    queryFn: ({ signal }) =>
      call('rateSeries', { params: { currency }, query: { days: days === 30 ? '30' : '365' }, signal }),
  });

/** What banks in Bolivia paid for a dollar, and would for an amount. */
const bankBoardQuery = ({ amount, currency }: QuoteQuestion) =>
  queryOptions({
    queryKey: rateKeys.bankBoard(currency, amount),
    queryFn: ({ signal }) => call('bankBoard', { query: { currency, amount }, signal }),
    enabled: isAmount(amount),
  });

/** How long the last payouts to each bank took. */
export const arrivalTimesQuery = queryOptions({
  queryKey: rateKeys.arrivals,
  queryFn: ({ signal }) => call('arrivalTimes', { signal }),
  staleTime: 10 * 60_000,
});

/** Writes rates that were pushed. An answer still on its way was read before them: it is not waited for. */
export function writeRates(queryClient: QueryClient, board: RateBoard): void {
  const write = (queryKey: AppQueryKey, data: unknown) => {
    void queryClient.cancelQueries({ queryKey, exact: true });
    queryClient.setQueryData<unknown>(queryKey, data);
  };
  for (const currency of sendCurrencies) write(rateKeys.one(currency), board.rates[currency]);
  write(rateKeys.board, board);
  for (const queryKey of [quoteKeys.all, rateKeys.allSeries, rateKeys.banks]) void askAgain(queryClient, { queryKey });
}

followLive('rate:changed', writeRates);
followLive('rates:collected', (queryClient) => {
  for (const queryKey of [rateKeys.allSeries, rateKeys.banks]) void askAgain(queryClient, { queryKey });
});

/** What a person typed: a decimal text and the currency of the card. */
export interface QuoteQuestion {
  readonly amount: string;
  readonly currency: SendCurrency;
  /** Whether `amount` is what the card pays, or the bolivianos that have to arrive. */
  readonly side?: 'pay' | 'receive';
}

const typingMs = 200;

/** The server's indicative quote; offline the browser never multiplies money that will be charged. */
export const quoteQuery = (question: QuoteQuestion) =>
  queryOptions({
    queryKey: quoteKeys.one(question.currency, question.amount, question.side ?? 'pay'),
    queryFn: ({ signal }) => call('quote', { body: toRequest(question), signal }),
    enabled: isAmount(question.amount),
    staleTime: 60_000,
    gcTime: 5 * 60_000,
  });

const toRequest = ({ amount, currency, side }: QuoteQuestion) =>
  side === 'receive' ? { receive: amount, currency } : { amount, currency };

/** Whether the text is an amount above zero that the server can be asked about. */
export function isAmount(text: string): boolean {
  return (parseMinor(text) ?? 0n) > 0n;
}

/** The quote, if it answers this very question; whatever arrives late or for another amount is never shown as its answer. */
export function answerTo(question: QuoteQuestion, quote: QuoteView | undefined): QuoteView | null {
  if (!quote || quote.currency !== question.currency) return null;
  return parseMinor(quote.amount) === parseMinor(question.amount) ? quote : null;
}

/** Asks for a quote once typing pauses. `quote` always belongs to `question`; while it is null and no error, it is on its way. */
export function useQuote(question: QuoteQuestion) {
  const { amount, currency, side = 'pay' } = question;
  const typed = useMemo(() => ({ amount, side }), [amount, side]);
  const [asked] = useDebouncedValue(typed, typingMs);
  const query = useQuery({ ...quoteQuery({ ...asked, currency }), placeholderData: keepPreviousData });
  const settled = asked === typed;
  // An answer to bolivianos does not repeat them: it is known by its key.
  const exact = settled && !query.isPlaceholderData ? (query.data ?? null) : null;
  const quote = side === 'receive' ? exact : answerTo(question, query.data);
  return {
    quote,
    /** The limits of the currency, known as soon as any quote of it was seen. */
    limits: query.data?.currency === currency ? query.data : null,
    /** Why there is no quote for this question; a refetch that failed takes nothing away. */
    error: quote === null && settled && !query.isPlaceholderData ? query.error : null,
    retry: query.refetch,
  };
}

/** As `useQuote`, with what is paid in all to compare others by: for bolivianos the server's answer, empty until it is there. */
export function usePaidAmount(question: QuoteQuestion) {
  const { quote } = useQuote(question);
  return { quote, paid: question.side === 'receive' ? (quote?.amount ?? '') : question.amount };
}

/** What banks would pay for what is asked, once typing pauses. Until it comes the last answer stays: it carries its own amount. */
export function useBankBoard(question: QuoteQuestion) {
  const { currency } = question;
  const [amount] = useDebouncedValue(usePaidAmount(question).paid, typingMs);
  return useQuery({ ...bankBoardQuery({ amount, currency }), placeholderData: keepPreviousData });
}
