import { t } from '@lingui/core/macro';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type { ComparisonView } from '#core/contracts/http/comparison';
import { parseMinor, type SendCurrency } from '#core/money/money';
import { percentText } from '../lib/format/numbers.ts';
import { call } from '../lib/http.ts';
import { askAgain, followLive } from '../lib/live.ts';
import { comparisonKeys } from './query-keys.ts';
import { isAmount, type QuoteQuestion } from './rates.ts';

const staleMs = 5 * 60_000;
/** Longer than the quote's: other services are asked for once a person has stopped typing. */
const typingMs = 300;

/** Smallest amount that is compared, in minor units: one dollar or euro. */
const minimumMinor = 100n;

/** Whether the amount is one that the server compares. */
export const isComparable = (amount: string): boolean => (parseMinor(amount) ?? 0n) >= minimumMinor;

/** Our price beside the competitors'. */
const rankingQuery = (amount: string, currency: SendCurrency) =>
  queryOptions({
    queryKey: comparisonKeys.ranking(currency, amount),
    queryFn: ({ signal }) => call('exchangeRates', { query: { amount, currency }, signal }),
    enabled: isComparable(amount),
    staleTime: staleMs,
  });

/** The competitors' prices alone. */
const pricesQuery = (amount: string, currency: SendCurrency) =>
  queryOptions({
    queryKey: comparisonKeys.prices(currency, amount),
    queryFn: ({ signal }) => call('scraper', { query: { amount, currency }, signal }),
    enabled: isComparable(amount),
    staleTime: staleMs,
  });

/** The competitors' prices for any amount, as the calculator shows them. */
const pricesForQuery = ({ amount, currency }: QuoteQuestion) =>
  queryOptions({
    queryKey: comparisonKeys.pricesFor(currency, amount),
    queryFn: ({ signal }) => call('scraperFor', { params: { currency, amount }, signal }),
    enabled: isAmount(amount),
  });

/** By how much the server can prove that ours is better for this amount, in percent with one decimal; null: by nothing. */
export const claimQuery = ({ amount, currency }: QuoteQuestion) =>
  queryOptions({
    queryKey: comparisonKeys.claim(currency, amount),
    queryFn: async ({ signal }) => (await call('exchangeRates', { query: { amount, currency }, signal })).claimPercent,
    enabled: isAmount(amount),
  });

/** The ranking, asked for once typing pauses. Until it comes the last one stays: it carries its own amount and currency. */
export function useComparison(amount: string, currency: SendCurrency) {
  const [settled] = useDebouncedValue(amount, typingMs);
  return useQuery({ ...rankingQuery(settled, currency), placeholderData: keepPreviousData });
}

/** The competitors' prices, as `useComparison`. */
export function usePrices(amount: string, currency: SendCurrency) {
  const [settled] = useDebouncedValue(amount, typingMs);
  return useQuery({ ...pricesQuery(settled, currency), placeholderData: keepPreviousData });
}

/** The competitors' prices for the calculator, as `useComparison`. */
export function usePricesFor({ amount, currency }: QuoteQuestion) {
  const [settled] = useDebouncedValue(amount, typingMs);
  return useQuery({ ...pricesForQuery({ amount: settled, currency }), placeholderData: keepPreviousData });
}

/** Asks for everything compared again. */
export const refreshComparison = (queryClient: QueryClient) => askAgain(queryClient, { queryKey: comparisonKeys.all });

followLive('rate:changed', (queryClient) => void askAgain(queryClient, { queryKey: comparisonKeys.withOurs }));
followLive('rates:collected', (queryClient) => void refreshComparison(queryClient));

/**
 * The only claim that we are better; null while the server cannot prove it. `where` the comparison stands:
 * on the same screen with all its rows, or elsewhere.
 */
export function claimText(
  { claimPercent }: Pick<ComparisonView, 'claimPercent'>,
  where: 'here' | 'elsewhere' = 'here',
): string | null {
  if (claimPercent === null) return null;
  const percent = percentText(claimPercent);
  return where === 'here'
    ? t`Con Chasqui llegan hasta ${percent} más bolivianos que con otros servicios de esta comparación, por lo mismo que pagas.`
    : t`Con Chasqui llegan hasta ${percent} más bolivianos que con otros servicios que comparamos, por lo mismo que pagas.`;
}
