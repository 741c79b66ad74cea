import { queryOptions } from '@tanstack/react-query';
import { endpoints } from '#core/contracts/http/endpoints';
import { call } from './http.ts';
import { followLive } from './live.ts';

/** Today's rates of both currencies. */
export const ratesQuery = queryOptions({
  queryKey: ['public', 'rates'],
  queryFn: ({ signal }) => call(endpoints.getRates, { signal }),
});

followLive('rate:changed', (queryClient, board) => {
  queryClient.setQueryData(ratesQuery.queryKey, board);
  void queryClient.invalidateQueries({ queryKey: ['public', 'quote'] });
});
