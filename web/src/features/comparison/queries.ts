import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { parseMinor, type SendCurrency } from '#core/money/money';
import { call } from '../../lib/http.ts';
import { followLive } from '../../lib/live.ts';

const staleMs = 5 * 60_000;
const typingMs = 300;
const key = ['public', 'comparison'] as const;

/** Smallest amount that is compared, in minor units: one dollar or euro. */
const minimumMinor = 100n;

const isComparable = (amount: string) => (parseMinor(amount) ?? 0n) >= minimumMinor;

/** What is wrong with the typed amount, or null. */
export function comparedAmountProblem(amount: string): string | null {
  return amount === '' || isComparable(amount) ? null : 'Escribe un monto de 1 o más';
}

/** Our price beside the competitors'. */
const comparisonQuery = (amount: string, currency: SendCurrency) =>
  queryOptions({
    queryKey: [...key, 'ranking', currency, amount],
    queryFn: ({ signal }) => call('exchangeRates', { query: { amount, currency }, signal }),
    enabled: isComparable(amount),
    staleTime: staleMs,
  });

/** The competitors' prices alone. */
const scraperQuery = (amount: string, currency: SendCurrency) =>
  queryOptions({
    queryKey: [...key, 'scraper', currency, amount],
    queryFn: ({ signal }) => call('scraper', { query: { amount, currency }, signal }),
    enabled: isComparable(amount),
    staleTime: staleMs,
  });

/** The ranking, asked for once typing pauses. Until it comes the last one stays: it carries its own amount and currency. */
export function useComparison(amount: string, currency: SendCurrency) {
  const [settled] = useDebouncedValue(amount, typingMs);
  return useQuery({ ...comparisonQuery(settled, currency), placeholderData: keepPreviousData });
}

/** The competitors' prices, as `useComparison`. */
export function useScraper(amount: string, currency: SendCurrency) {
  const [settled] = useDebouncedValue(amount, typingMs);
  return useQuery({ ...scraperQuery(settled, currency), placeholderData: keepPreviousData });
}

/** Asks for everything compared again. */
export const refreshComparison = (queryClient: QueryClient) => queryClient.invalidateQueries({ queryKey: key });

followLive('rate:changed', (queryClient) => void refreshComparison(queryClient));
followLive('rates:collected', (queryClient) => void refreshComparison(queryClient));
