import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '../lib/http.ts';
import { askAgain, followLive } from '../lib/live.ts';
import { rateDeskKeys, rateKeys } from './query-keys.ts';

const historySize = 10;

/** Per currency: rate in force, market, proposal and the open change. */
export const deskQuery = queryOptions({
  queryKey: rateDeskKeys.desk,
  queryFn: ({ signal }) => call('rateManagement', { signal }),
});

/** Every change that was asked for, newest first, page by page. */
export const changesQuery = infiniteQueryOptions({
  queryKey: rateDeskKeys.changes,
  queryFn: ({ pageParam: cursor, signal }) => call('rateHistory', { query: { cursor, limit: historySize }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor,
});

/** How every source has been doing. */
export const sourcesQuery = queryOptions({
  queryKey: rateDeskKeys.sources,
  queryFn: ({ signal }) => call('rateSources', { signal }),
});

/** After a change by this admin; other admins get a push. */
export async function refreshDesk(queryClient: QueryClient): Promise<void> {
  const keys = [rateDeskKeys.desk, rateDeskKeys.changes, rateKeys.board];
  await Promise.all(keys.map((queryKey) => askAgain(queryClient, { queryKey })));
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
  for (const queryKey of [rateDeskKeys.desk, rateDeskKeys.changes]) void askAgain(queryClient, { queryKey });
});
followLive('rates:collected', (queryClient) => {
  for (const queryKey of [rateDeskKeys.desk, rateDeskKeys.sources]) void askAgain(queryClient, { queryKey });
});
