import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';
import { followLive } from '../../lib/live.ts';
import { isAmount, type QuoteQuestion } from '../../lib/quote.ts';

/** Longer than the quote's: other services' prices are asked for once a person has stopped typing. */
const typingMs = 400;
const key = ['public', 'calculator-prices'] as const;

/** Other services' prices for an amount. */
const pricesQuery = ({ amount, currency }: QuoteQuestion) =>
  queryOptions({
    queryKey: [...key, currency, amount],
    queryFn: ({ signal }) => call('scraperFor', { params: { currency, amount }, signal }),
    enabled: isAmount(amount),
  });

/** Other services' prices, asked for once typing pauses. The answer carries its own amount and currency. */
export function usePrices({ amount, currency }: QuoteQuestion) {
  const [settled] = useDebouncedValue(amount, typingMs);
  return useQuery({ ...pricesQuery({ amount: settled, currency }), placeholderData: keepPreviousData });
}

followLive('rates:collected', (queryClient) => void queryClient.invalidateQueries({ queryKey: key }));
