import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';
import { type TransferView, transferView } from '#core/contracts/http/transfers';
import type { SendCurrency } from '#core/money/money';
import { abandonedStates, type TransferStatus, underWayStates } from '#core/transfers/states';
import { ApiFailure } from '../lib/http.ts';
import { askAgain, followLive } from '../lib/live.ts';
import { senderCall } from '../lib/sender-http.ts';
import { useSingleMutation } from '../lib/single-mutation.ts';
import { useOptionalPages } from './optional-pages.ts';
import { type Offer, type OfferRecipient, withProvenEmail } from './payments.ts';
import { paymentKeys } from './query-keys.ts';
import { quoteQuery } from './rates.ts';
import { summaryKey, transferKeys } from './sender-query-keys.ts';
import { newestFirst, VersionedCollection } from './versioned-collection.ts';

/** Which of a sender's transfers. */
export interface TransferFilter {
  /** Part of a name or number; empty for all. */
  readonly search: string;
  /** Empty for all. */
  readonly status: TransferStatus | '';
}

/** Transfers that are paid and have not ended. Unpaid ones run out by themselves. */
interface UnderWayFilter {
  readonly underWay: true;
}

/** Never paid, and over. */
export const isEndedDraft = ({ paidAt, state }: TransferView): boolean =>
  paidAt === null && abandonedStates.includes(state);

const pageSize = 10;
const underWayMax = 100;

const transfers = new VersionedCollection<TransferView, TransferFilter | UnderWayFilter>({
  keys: transferKeys,
  versionOf: ({ version }) => version,
  compare: newestFirst,
  belongs: (transfer, filter) => {
    if ('underWay' in filter) return underWayStates.includes(transfer.state);
    if (filter.status ? transfer.status !== filter.status : isEndedDraft(transfer)) return false;
    return filter.search ? null : true;
  },
});

/** The sender's transfers, newest first, page by page. */
export const transfersQuery = (filter: TransferFilter) =>
  transfers.list(filter, (cursor, signal) => {
    const { search, status } = filter;
    const query = { cursor, limit: pageSize, ...(search && { search }), ...(status && { status }) };
    return senderCall('listTransfers', { query, signal });
  });

/** The currency that the sender paid in last; null while they sent nothing, or it is not known yet. */
export function useLastCurrency(): SendCurrency | null {
  const data = useOptionalPages(transfersQuery({ search: '', status: '' }));
  return data?.pages[0]?.items[0]?.currency ?? null;
}

/** Transfers that are paid and have not ended, the newest first. */
export const underWayQuery = transfers.list({ underWay: true }, (cursor, signal) =>
  senderCall('listTransfers', { query: { progress: 'under_way', cursor, limit: underWayMax }, signal }),
);

/** One transfer with its history. */
export const transferQuery = (id: string) =>
  transfers.one(id, (signal) => senderCall('getTransfer', { params: { id }, signal }));

/** A transfer as a list or a push brought it, before its own answer is there. */
export const knownTransfer = (id: string): TransferView | undefined => transfers.known(id);

/** The receipt of a paid transfer. */
export const receiptQuery = (id: string) =>
  queryOptions({
    queryKey: transferKeys.receipt(id),
    queryFn: ({ signal }) => senderCall('receipt', { params: { id }, signal }),
  });

/** The sender's three figures. */
export const summaryQuery = queryOptions({
  queryKey: summaryKey,
  queryFn: ({ signal }) => senderCall('dashboard', { signal }),
});

/** Writes a transfer that just came from the server wherever it is shown, unless something newer is there already. */
export function writeTransfer(queryClient: QueryClient, arrived: TransferView): void {
  transfers.receive(queryClient, arrived);
  void queryClient.invalidateQueries({ queryKey: summaryKey });
  const { paymentIntentId } = arrived;
  if (paymentIntentId) void askAgain(queryClient, { queryKey: paymentKeys.status(paymentIntentId) });
}

followLive('transfer:changed', writeTransfer);

/** Asks for the sender's transfers again, because what is on screen may be out of date. */
export const refreshTransfers = (queryClient: QueryClient) =>
  queryClient.invalidateQueries({ queryKey: transferKeys.all });

/** Shows the transfer as it is now, which a refusal may carry. @returns whether it did. */
function writeTransferIn(queryClient: QueryClient, error: Error): boolean {
  const now = transferView.safeParse(error instanceof ApiFailure && error.details.transaction);
  if (now.success) writeTransfer(queryClient, now.data);
  return now.success;
}

/** Asks for the payment of a transfer that was left unpaid. A refusal means that the list is out of date. */
export function useResumePayment(id: string) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: () => withProvenEmail(() => senderCall('resumePayment', { params: { id } })),
    onError: () => refreshTransfers(queryClient),
  });
}

/** Asks for today's quote of what a transfer paid: the offer to send the same once more. Its sender's date of birth is known. */
export function useOfferAgain({ amount, currency }: Pick<TransferView, 'amount' | 'currency'>) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: async (recipient: OfferRecipient): Promise<Offer> => {
      const quote = await queryClient.fetchQuery({ ...quoteQuery({ amount, currency }), staleTime: 0 });
      return { recipient, quote, birthDate: null };
    },
  });
}

/** Cancels a transfer. Also a refusal brings the transfer as it is now, and it is shown. */
export function useCancelTransfer(id: string) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: () => senderCall('cancelTransfer', { params: { id } }),
    onSuccess: (cancelled) => writeTransfer(queryClient, cancelled),
    onError: (error) => void writeTransferIn(queryClient, error),
  });
}

/** Names another account for a payout that the bank refused. A refusal means that the transfer is out of date. */
export function useCorrectAccount(id: string) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (recipientId: string) => senderCall('correctAccount', { params: { id }, body: { recipientId } }),
    onSuccess: ({ transaction }) => writeTransfer(queryClient, transaction),
    onError: (error) => {
      if (!writeTransferIn(queryClient, error)) void refreshTransfers(queryClient);
    },
  });
}

/** Chooses who receives a transfer that waits for it. A refusal means that the transfer is out of date. */
export function useAssignRecipient(id: string) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (recipientId: string) => senderCall('assignRecipient', { params: { id }, body: { recipientId } }),
    onSuccess: (assigned) => writeTransfer(queryClient, assigned),
    onError: () => refreshTransfers(queryClient),
  });
}
