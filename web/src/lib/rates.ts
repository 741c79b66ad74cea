import { queryOptions } from '@tanstack/react-query';
import { type SendCurrency, sendCurrencies } from '#core/money/money';
import { call } from './http.ts';
import { followLive } from './live.ts';

/** Today's rates of both currencies. */
export const ratesQuery = queryOptions({
  queryKey: ['public', 'rates'],
  queryFn: ({ signal }) => call('getRates', { signal }),
});

/** Today's rate of one currency; asked for again whenever the currency is chosen. */
export const rateQuery = (currency: SendCurrency) =>
  queryOptions({
    queryKey: ['public', 'rates', currency],
    queryFn: ({ signal }) => call('getRate', { params: { currency }, signal }),
    staleTime: 0,
  });

followLive('rate:changed', (queryClient, board) => {
  for (const currency of sendCurrencies) queryClient.setQueryData(rateQuery(currency).queryKey, board.rates[currency]);
  queryClient.setQueryData(ratesQuery.queryKey, board);
  void queryClient.invalidateQueries({ queryKey: ['public', 'quote'] });
});
