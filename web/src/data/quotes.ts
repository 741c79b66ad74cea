import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { QuoteView } from '#core/contracts/http/rates';
import { parseMinor, type SendCurrency } from '#core/money/money';
import { call } from '../lib/http.ts';
import { quoteKeys } from './query-keys.ts';
import './rates.ts';

/** What a person typed: a decimal text and a currency. */
export interface QuoteQuestion {
  readonly amount: string;
  readonly currency: SendCurrency;
}

const typingMs = 200;

/** The server's indicative quote; offline the browser never multiplies money that will be charged. */
export const quoteQuery = (question: QuoteQuestion) =>
  queryOptions({
    queryKey: quoteKeys.one(question.currency, question.amount),
    queryFn: ({ signal }) => call('quote', { body: question, signal }),
    enabled: isAmount(question.amount),
    staleTime: 60_000,
    gcTime: 5 * 60_000,
  });

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
  const [amount] = useDebouncedValue(question.amount, typingMs);
  const asked = { amount, currency: question.currency };
  const query = useQuery({ ...quoteQuery(asked), placeholderData: keepPreviousData });
  const settled = amount === question.amount;
  const quote = answerTo(question, query.data);
  return {
    quote,
    /** The limits of the currency, known as soon as any quote of it was seen. */
    limits: query.data?.currency === question.currency ? query.data : null,
    /** Why there is no quote for this question; a refetch that failed takes nothing away. */
    error: quote === null && settled && !query.isPlaceholderData ? query.error : null,
    retry: query.refetch,
  };
}
