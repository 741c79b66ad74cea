import { infiniteQueryOptions, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type { AdminTransferView } from '#core/contracts/http/admin';
import { call } from '../../lib/http.ts';
import { followLive } from '../../lib/live.ts';
import { ratesQuery } from '../../lib/rates.ts';
import { NewestViews, type Pages } from '../../lib/versions.ts';
import { placeTransfer, type TransferFilter } from './transfer-list.ts';

const pageSize = 25;
const firstPage: { pageParam: string | undefined } = { pageParam: undefined };

const keys = {
  all: ['admin'],
  stats: ['admin', 'stats'],
  transfers: ['admin', 'transfers'],
  transfer: (id: string) => ['admin', 'transfer', id],
  users: ['admin', 'users'],
} as const;

const newest = new NewestViews<AdminTransferView>();

/** Figures of the day and the month. */
export const statsQuery = queryOptions({
  queryKey: keys.stats,
  queryFn: ({ signal }) => call('adminStats', { signal }),
});

/** Transfers, newest first, page by page. */
export const transfersQuery = (filter: TransferFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.transfers, filter],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const page = await call('adminTransfers', { query: { ...filter, cursor, limit: pageSize }, signal });
      return { ...page, items: page.items.map((item) => newest.newest(item)) };
    },
    initialPageParam: firstPage.pageParam,
    getNextPageParam: (page) => page.nextCursor,
  });

/** One transfer, found by its id; null when there is none. */
const transferQuery = (id: string) =>
  queryOptions({
    queryKey: keys.transfer(id),
    queryFn: async ({ signal }) => {
      const { items } = await call('adminTransfers', { query: { search: id, limit: 1 }, signal });
      const found = items.find((item) => item.id === id);
      return found ? newest.newest(found) : null;
    },
  });

/** One transfer as it is now, at once when the list has it; it goes on changing when it leaves the list. */
export function useTransfer(id: string, row: AdminTransferView | undefined) {
  const query = useQuery({ ...transferQuery(id), initialData: row });
  return { ...query, data: row && (!query.data || row.version > query.data.version) ? row : query.data };
}

/** People with accounts, page by page. */
export const usersQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: [...keys.users, search],
    queryFn: ({ pageParam: cursor, signal }) =>
      call('adminUsers', { query: { search, cursor, limit: pageSize }, signal }),
    initialPageParam: firstPage.pageParam,
    getNextPageParam: (page) => page.nextCursor,
  });

/** Takes in a transfer as it is now, from a push or an answer: every list and view shows it, if it is newer. */
export function receiveTransfer(queryClient: QueryClient, received: AdminTransferView): void {
  const transfer = newest.newest(received);
  for (const { queryKey, state } of queryClient.getQueryCache().findAll({ queryKey: keys.transfers })) {
    const filter = (queryKey[2] ?? {}) as TransferFilter;
    queryClient.setQueryData<Pages<AdminTransferView>>(
      queryKey,
      (list) => list && placeTransfer(list, transfer, filter),
    );
    // An answer already on its way may have been written before this change, and would undo it. Whether the transfer belongs
    // under a search is for the server to say.
    if (state.fetchStatus === 'fetching' || filter.search)
      void queryClient.invalidateQueries({ queryKey, exact: true });
  }
  queryClient.setQueryData(keys.transfer(transfer.id), transfer);
  countAgainSoon(queryClient);
}

const countAgainMs = 300;
let countIsDue = false;

/** Figures follow the transfers, but a burst of changes asks for them once. */
function countAgainSoon(queryClient: QueryClient) {
  if (countIsDue) return;
  countIsDue = true;
  setTimeout(() => {
    countIsDue = false;
    void queryClient.invalidateQueries({ queryKey: keys.stats });
    void queryClient.invalidateQueries({ queryKey: keys.users });
  }, countAgainMs);
}

/** Asks the server again for everything the panel shows. */
export async function refreshPanel(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: keys.all }),
    queryClient.invalidateQueries({ queryKey: ratesQuery.queryKey }),
  ]);
}

followLive('admin:transfer-changed', receiveTransfer);
