import { type InfiniteData, infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { TransferView } from '#core/contracts/http/transfers';
import type { TransferStatus } from '#core/transfers/states';
import { call } from './http.ts';
import { followLive } from './live.ts';
import { NewestViews, prependToPages, replaceInPages } from './versions.ts';

/** Which of a sender's transfers: part of a name or id, and one status; empty for all. */
export interface TransferFilter {
  readonly search: string;
  readonly status: TransferStatus | '';
}

interface TransferPage {
  items: TransferView[];
  nextCursor: string | null;
}
type TransferPages = InfiniteData<TransferPage, string>;

const pageSize = 10;
const views = new NewestViews<TransferView>();
const lists = ['transfers', 'list'] as const;
const one = ['transfers', 'one'] as const;

/** The sender's transfers, newest first, page by page. */
export const transfersQuery = (filter: TransferFilter) =>
  infiniteQueryOptions({
    queryKey: [...lists, filter],
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }): Promise<TransferPage> => {
      const { search, status } = filter;
      const query = { limit: pageSize, ...(pageParam && { cursor: pageParam }), ...(search && { search }) };
      const page = await call('listTransfers', { query: { ...query, ...(status && { status }) }, signal });
      return { ...page, items: page.items.map((view) => views.newest(view)) };
    },
    getNextPageParam: (page) => page.nextCursor,
  });

/** One transfer with its history. */
export const transferQuery = (id: string) =>
  queryOptions({
    queryKey: [...one, id],
    queryFn: async ({ signal }) => views.newest(await call('getTransfer', { params: { id }, signal })),
  });

/** Writes a transfer that just came from the server wherever it is shown, unless something newer is there already. */
export function writeTransfer(queryClient: QueryClient, arrived: TransferView): void {
  const view = views.newest(arrived);
  queryClient.setQueryData(transferQuery(view.id).queryKey, view);
  for (const [key, data] of queryClient.getQueriesData<TransferPages>({ queryKey: lists })) {
    const { search, status } = key.at(-1) as TransferFilter;
    const replaced = data && replaceInPages(data, view);
    if (replaced) queryClient.setQueryData(key, replaced);
    else if (data && !search && !status) queryClient.setQueryData(key, prependToPages(data, view));
    // Whether it (still) belongs under a filter is for the server to say.
    if (search || status) void queryClient.invalidateQueries({ queryKey: key, exact: true });
  }
  void queryClient.invalidateQueries({ queryKey: ['dashboard'] });
}

followLive('transfer:changed', writeTransfer);
