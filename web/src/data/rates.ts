import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { RateBoard } from '#core/contracts/http/rates';
import { type SendCurrency, sendCurrencies } from '#core/money/money';
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

/** What banks in Bolivia paid for a dollar. */
export const bankBoardQuery = queryOptions({
  queryKey: rateKeys.banks,
  queryFn: ({ signal }) => call('bankBoard', { signal }),
});

/** Writes rates that were pushed. An answer still on its way was read before them: it is not waited for. */
export function writeRates(queryClient: QueryClient, board: RateBoard): void {
  const write = (queryKey: AppQueryKey, data: unknown) => {
    void queryClient.cancelQueries({ queryKey, exact: true });
    queryClient.setQueryData<unknown>(queryKey, data);
  };
  for (const currency of sendCurrencies) write(rateKeys.one(currency), board.rates[currency]);
  write(rateKeys.board, board);
  for (const queryKey of [quoteKeys.all, rateKeys.allSeries]) void askAgain(queryClient, { queryKey });
}

followLive('rate:changed', writeRates);
followLive('rates:collected', (queryClient) => {
  for (const queryKey of [rateKeys.allSeries, rateKeys.banks]) void askAgain(queryClient, { queryKey });
});
