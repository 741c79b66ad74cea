import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { CryptoOrderView } from '#core/contracts/http/crypto';
import { followLive } from '../lib/live.ts';
import { senderCall } from '../lib/sender-http.ts';
import { cryptoKeys } from './sender-query-keys.ts';
import { newestFirst, VersionedCollection } from './versioned-collection.ts';

const pageSize = 5;

const orders = new VersionedCollection<CryptoOrderView>({
  keys: cryptoKeys,
  versionOf: ({ version }) => version,
  compare: newestFirst,
  belongs: () => true,
});

/** What is sold and where it goes. */
export const cryptoConfigQuery = queryOptions({
  queryKey: cryptoKeys.config,
  queryFn: ({ signal }) => senderCall('cryptoConfig', { signal }),
});

/** The person's purchases, newest first, page by page. */
export const cryptoOrdersQuery = orders.list({}, (cursor, signal) =>
  senderCall('listCryptoOrders', { query: { cursor, limit: pageSize }, signal }),
);

/** One purchase. */
export const cryptoOrderQuery = (id: string) =>
  orders.one(id, (signal) => senderCall('getCryptoOrder', { params: { id }, signal }));

/** Writes a purchase that just came from the server wherever it is shown, unless something newer is there already. */
export function writeCryptoOrder(queryClient: QueryClient, arrived: CryptoOrderView): void {
  orders.receive(queryClient, arrived);
}

followLive('crypto-order:changed', writeCryptoOrder);
