import { infiniteQueryOptions, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type { AdminTransferView } from '#core/contracts/http/admin';
import type { AdminTransferViewName } from '#core/contracts/page-addresses';
import { parseMinor, type SendCurrency } from '#core/money/money';
import { laPazDay } from '#core/time/time';
import type { TransferStatus } from '#core/transfers/states';
import { adminCall } from '../lib/admin-http.ts';
import { askAgain, followLive } from '../lib/live.ts';
import { adminKeys, adminTransferKeys, figuresKey, rateDeskKeys } from './admin-query-keys.ts';
import { rateKeys } from './query-keys.ts';
import { newestFirst, VersionedCollection } from './versioned-collection.ts';

const pageSize = 25;

/** Figures of the day and the month. */
export const statsQuery = queryOptions({
  queryKey: adminKeys.stats,
  queryFn: ({ signal }) => adminCall('adminStats', { signal }),
});

/** People with accounts, page by page; with a search those whose name or e-mail has it. */
export const usersQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: adminKeys.users(search),
    queryFn: ({ pageParam: cursor, signal }) =>
      adminCall('adminUsers', { query: { search, cursor, limit: pageSize }, signal }),
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

/** What narrows the list of all transfers. All conditions hold together. */
export interface AdminTransferFilter {
  readonly search?: string | undefined;
  readonly view?: AdminTransferViewName | undefined;
  readonly status?: TransferStatus | undefined;
  /** Days of La Paz, "YYYY-MM-DD", both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly currency?: SendCurrency | undefined;
  /** Decimal text, "100.00", in the currency of each transfer. */
  readonly least?: string | undefined;
  readonly most?: string | undefined;
  readonly bank?: string | undefined;
  /** The id of who sends. */
  readonly sender?: string | undefined;
}

const transfers = new VersionedCollection<AdminTransferView, AdminTransferFilter>({
  keys: adminTransferKeys,
  versionOf: ({ version }) => version,
  compare: newestFirst,
  belongs: (transfer, filter) => {
    if (!passes(transfer, filter)) return false;
    // What was searched, and whether a case is open, the server knows.
    return filter.search || filter.view === 'stuck' ? null : true;
  },
  firstPageMax: 2 * pageSize,
});

/** Whether a transfer can be in the list of a filter, as far as it says so itself. */
function passes(transfer: AdminTransferView, filter: AdminTransferFilter): boolean {
  const { view, status, from, to, currency, least, most, bank, sender } = filter;
  const day = laPazDay(new Date(transfer.date));
  const amount = parseMinor(transfer.amount) ?? 0n;
  return (
    (!status || transfer.status === status) &&
    (view !== 'to_decide' || transfer.state === 'in_review') &&
    (view !== 'today' || day === laPazDay(new Date())) &&
    (!from || day >= from) &&
    (!to || day <= to) &&
    (!currency || transfer.currency === currency) &&
    (!least || amount >= (parseMinor(least) ?? 0n)) &&
    (!most || amount <= (parseMinor(most) ?? amount)) &&
    (!bank || transfer.recipient_details.bank_name === bank) &&
    (!sender || transfer.user_id === sender)
  );
}

/** Everybody's transfers, newest first, page by page. */
export const adminTransfersQuery = (filter: AdminTransferFilter) =>
  transfers.list(filter, (cursor, signal) =>
    adminCall('adminTransfers', { query: { ...filter, cursor, limit: pageSize }, signal }),
  );

/** Shows the newest page of a list again, with the rows that were held back. */
export const showHeldTransfers = (queryClient: QueryClient, filter: AdminTransferFilter) =>
  transfers.showHeld(queryClient, filter);

/** One transfer, found by its id; null when there is none. */
const adminTransferQuery = (id: string) =>
  transfers.one<AdminTransferView | null>(id, async (signal) => {
    const { items } = await adminCall('adminTransfers', { query: { search: id, limit: 1 }, signal });
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
followLive('admin:case-changed', (queryClient) => {
  transfers.askAgainSoon(queryClient, adminTransferKeys.list({ view: 'stuck' }));
  transfers.askAgainSoon(queryClient, adminKeys.stats);
});

const historySize = 10;

/** Per currency: rate in force, market, proposal and the open change. */
export const rateDeskQuery = queryOptions({
  queryKey: rateDeskKeys.desk,
  queryFn: ({ signal }) => adminCall('rateManagement', { signal }),
});

/** Every change that was asked for, newest first, page by page. */
export const rateChangesQuery = infiniteQueryOptions({
  queryKey: rateDeskKeys.changes,
  queryFn: ({ pageParam: cursor, signal }) =>
    adminCall('rateHistory', { query: { cursor, limit: historySize }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor,
});

/** How every source has been doing. */
export const rateSourcesQuery = queryOptions({
  queryKey: rateDeskKeys.sources,
  queryFn: ({ signal }) => adminCall('rateSources', { signal }),
});

/** After a change by this admin; other admins get a push. */
export async function refreshRateDesk(queryClient: QueryClient): Promise<void> {
  const keys = [rateDeskKeys.desk, rateDeskKeys.changes, rateKeys.board];
  await Promise.all(keys.map((queryKey) => askAgain(queryClient, { queryKey })));
}

followLive('admin:rate-change-updated', (queryClient) => void refreshRateDesk(queryClient));
followLive('rate:changed', (queryClient, board) => {
  // What is in force is seen at once; what follows from it (margin, history) is asked for.
  queryClient.setQueryData(rateDeskQuery.queryKey, (desk) => {
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

/** How often (ms) the figures are asked for while somebody looks at them: ages go on without any push. */
const everyMs = 10_000;

/** What is due, held, owed and open at this moment. */
export const figuresQuery = queryOptions({
  queryKey: figuresKey,
  queryFn: ({ signal }) => adminCall('operatingFigures', { signal }),
  refetchInterval: everyMs,
});
