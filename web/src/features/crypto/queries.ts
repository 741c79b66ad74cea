import { type InfiniteData, infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { CryptoOrderView } from '#core/contracts/http/crypto';
import { call } from '../../lib/http.ts';
import { followLive } from '../../lib/live.ts';
import { NewestViews, prependToPages, replaceInPages } from '../../lib/versions.ts';

interface OrderPage {
  items: CryptoOrderView[];
  nextCursor: string | null;
}
type OrderPages = InfiniteData<OrderPage, string>;

const pageSize = 5;
const views = new NewestViews<CryptoOrderView>();

/** What is sold and where it goes. */
export const cryptoConfigQuery = queryOptions({
  queryKey: ['public', 'crypto-config'],
  queryFn: ({ signal }) => call('cryptoConfig', { signal }),
});

/** The person's purchases, newest first, page by page. */
export const cryptoOrdersQuery = infiniteQueryOptions({
  queryKey: ['crypto-orders', 'list'],
  initialPageParam: '',
  queryFn: async ({ pageParam, signal }): Promise<OrderPage> => {
    const query = { limit: pageSize, ...(pageParam && { cursor: pageParam }) };
    const page = await call('listCryptoOrders', { query, signal });
    return { ...page, items: page.items.map((view) => views.newest(view)) };
  },
  getNextPageParam: (page: OrderPage) => page.nextCursor,
});

/** One purchase. */
export const cryptoOrderQuery = (id: string) =>
  queryOptions({
    queryKey: ['crypto-orders', 'one', id],
    queryFn: async ({ signal }) => views.newest(await call('getCryptoOrder', { params: { id }, signal })),
  });

/** Writes a purchase that just came from the server wherever it is shown, unless something newer is there already. */
export function writeCryptoOrder(queryClient: QueryClient, arrived: CryptoOrderView): void {
  const view = views.newest(arrived);
  queryClient.setQueryData(cryptoOrderQuery(view.id).queryKey, view);
  const list = queryClient.getQueryData<OrderPages>(cryptoOrdersQuery.queryKey);
  if (list)
    queryClient.setQueryData(cryptoOrdersQuery.queryKey, replaceInPages(list, view) ?? prependToPages(list, view));
}

followLive('crypto-order:changed', writeCryptoOrder);
