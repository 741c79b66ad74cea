import { queryOptions } from '@tanstack/react-query';
import type { SendCurrency } from '#core/money/money';
import { call } from './http.ts';
import { followLive } from './live.ts';

/** How many days of history can be looked at. */
export type SeriesDays = 30 | 365;

const key = ['public', 'rate-series'] as const;

/** Rates over time, a point for every day. */
export const rateSeriesQuery = (currency: SendCurrency, days: SeriesDays) =>
  queryOptions({
    queryKey: [...key, currency, days],
    queryFn: ({ signal }) =>
      call('rateSeries', { params: { currency }, query: { days: days === 30 ? '30' : '365' }, signal }),
  });

followLive('rate:changed', (queryClient) => void queryClient.invalidateQueries({ queryKey: key }));
followLive('rates:collected', (queryClient) => void queryClient.invalidateQueries({ queryKey: key }));
