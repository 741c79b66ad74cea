import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '../lib/http.ts';
import { adminKeys, rateKeys } from './query-keys.ts';

const pageSize = 25;

/** Figures of the day and the month. */
export const statsQuery = queryOptions({
  queryKey: adminKeys.stats,
  queryFn: ({ signal }) => call('adminStats', { signal }),
});

/** People with accounts, page by page; with a search those whose name or e-mail has it. */
export const usersQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: adminKeys.users(search),
    queryFn: ({ pageParam: cursor, signal }) =>
      call('adminUsers', { query: { search, cursor, limit: pageSize }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
  });

/** Asks the server again for everything the panel shows. */
export async function refreshPanel(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: adminKeys.all }),
    queryClient.invalidateQueries({ queryKey: rateKeys.board }),
  ]);
}
