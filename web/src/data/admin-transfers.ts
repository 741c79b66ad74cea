import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { AdminTransferView } from '#core/contracts/http/admin';
import type { TransferStatus } from '#core/transfers/states';
import { call } from '../lib/http.ts';
import { followLive } from '../lib/live.ts';
import { adminKeys, adminTransferKeys } from './query-keys.ts';
import { newestFirst, VersionedCollection } from './versioned-collection.ts';

/** What narrows the list of all transfers. */
export interface AdminTransferFilter {
  readonly search?: string | undefined;
  readonly status?: TransferStatus | undefined;
}

const pageSize = 25;

const transfers = new VersionedCollection<AdminTransferView, AdminTransferFilter>({
  keys: adminTransferKeys,
  versionOf: ({ version }) => version,
  compare: newestFirst,
  belongs: (transfer, { search, status }) => {
    if (status && transfer.status !== status) return false;
    return search ? null : true;
  },
});

/** Everybody's transfers, newest first, page by page. */
export const adminTransfersQuery = (filter: AdminTransferFilter) =>
  transfers.list(filter, (cursor, signal) =>
    call('adminTransfers', { query: { ...filter, cursor, limit: pageSize }, signal }),
  );

/** One transfer, found by its id; null when there is none. */
const adminTransferQuery = (id: string) =>
  transfers.one<AdminTransferView | null>(id, async (signal) => {
    const { items } = await call('adminTransfers', { query: { search: id, limit: 1 }, signal });
    return items.find((item) => item.id === id) ?? null;
  });

/** One transfer as it is now, at once when the list has it; it goes on changing when it leaves the list. */
export function useAdminTransfer(id: string, row: AdminTransferView | undefined) {
  const query = useQuery({ ...adminTransferQuery(id), initialData: row });
  return { ...query, data: row && (!query.data || row.version > query.data.version) ? row : query.data };
}

/** Takes in a transfer from a push or an answer: every list and view shows it, if it is newer, and the figures follow. */
export function receiveAdminTransfer(queryClient: QueryClient, received: AdminTransferView): void {
  transfers.receive(queryClient, received);
  transfers.askAgainSoon(queryClient, adminKeys.stats);
  transfers.askAgainSoon(queryClient, adminKeys.allUsers);
}

followLive('admin:transfer-changed', receiveAdminTransfer);
