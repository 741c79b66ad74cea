import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/http.ts';
import { followLive } from '../../../lib/live.ts';
import { ratesQuery } from '../../../lib/rates.ts';

const historySize = 10;
const firstPage: { pageParam: string | undefined } = { pageParam: undefined };

/** All lie under the panel's key, so that its refresh control has them asked for again. */
const keys = {
  desk: ['admin', 'rate-desk'],
  history: ['admin', 'rate-history'],
  sources: ['admin', 'rate-sources'],
} as const;

/** Per currency: rate in force, market, proposal and the open change. */
export const deskQuery = queryOptions({
  queryKey: keys.desk,
  queryFn: ({ signal }) => call('rateManagement', { signal }),
});

/** Every change that was asked for, newest first, page by page. */
export const changesQuery = infiniteQueryOptions({
  queryKey: keys.history,
  queryFn: ({ pageParam: cursor, signal }) => call('rateHistory', { query: { cursor, limit: historySize }, signal }),
  initialPageParam: firstPage.pageParam,
  getNextPageParam: (page) => page.nextCursor,
});

/** How every source has been doing. */
export const sourcesQuery = queryOptions({
  queryKey: keys.sources,
  queryFn: ({ signal }) => call('rateSources', { signal }),
});

/** After a change by this admin; other admins get a push. */
export async function refreshDesk(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: keys.desk }),
    queryClient.invalidateQueries({ queryKey: keys.history }),
    queryClient.invalidateQueries({ queryKey: ratesQuery.queryKey }),
  ]);
}

followLive('admin:rate-change-updated', (queryClient) => void refreshDesk(queryClient));
followLive('rate:changed', (queryClient, board) => {
  // What is in force is seen at once; what follows from it (margin, history) is asked for.
  queryClient.setQueryData(deskQuery.queryKey, (desk) => {
    if (!desk) return undefined;
    const { USD, EUR } = desk.currencies;
    const currencies = { USD: { ...USD, inForce: board.rates.USD }, EUR: { ...EUR, inForce: board.rates.EUR } };
    return { ...desk, currencies };
  });
  for (const queryKey of [keys.desk, keys.history]) void queryClient.invalidateQueries({ queryKey });
});
followLive('rates:collected', (queryClient) => {
  for (const queryKey of [keys.desk, keys.sources]) void queryClient.invalidateQueries({ queryKey });
});
