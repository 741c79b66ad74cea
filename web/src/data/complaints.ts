import { infiniteQueryOptions, type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';
import type { ComplaintInput, ComplaintView } from '#core/contracts/http/complaints';
import { askAgain, followLive } from '../lib/live.ts';
import { senderCall } from '../lib/sender-http.ts';
import { useSingleMutation } from '../lib/single-mutation.ts';
import { complaintKeys } from './sender-query-keys.ts';

const pageSize = 10;

/** What the sender reported of a transfer, and the rules for reporting more. */
export const transferComplaintsQuery = (id: string) =>
  queryOptions({
    queryKey: complaintKeys.ofTransfer(id),
    queryFn: ({ signal }) => senderCall('transferComplaints', { params: { id }, signal }),
  });

/** All that the sender reported, the newest first, page by page. */
export const ownComplaintsQuery = infiniteQueryOptions({
  queryKey: complaintKeys.list,
  queryFn: ({ pageParam: cursor, signal }) =>
    senderCall('ownComplaints', { query: { cursor, limit: pageSize }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor,
});

/** Shows a report as it came from the server, unless something newer is shown already; lists ask again. */
function receive(queryClient: QueryClient, arrived: ComplaintView): void {
  queryClient.setQueryData(transferComplaintsQuery(arrived.transferId).queryKey, (known) => {
    if (!known) return undefined;
    const before = known.items.find(({ id }) => id === arrived.id);
    if (before && before.version >= arrived.version) return known;
    const items = before
      ? known.items.map((one) => (one.id === arrived.id ? arrived : one))
      : [arrived, ...known.items];
    return { ...known, items };
  });
  void askAgain(queryClient, { queryKey: complaintKeys.list });
}

followLive('complaint:changed', receive);

/** Takes a report back. A refusal means that what is shown of it is out of date. */
export function useWithdrawComplaint({ id, transferId }: Pick<ComplaintView, 'id' | 'transferId'>) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (_: null) => senderCall('withdrawComplaint', { params: { id } }),
    onSuccess: (withdrawn) => receive(queryClient, withdrawn),
    onError: () => {
      void askAgain(queryClient, { queryKey: complaintKeys.ofTransfer(transferId) });
      void askAgain(queryClient, { queryKey: complaintKeys.list });
    },
  });
}

/** Reports a problem. A refusal means that what is shown of the transfer is out of date. */
export function useReportComplaint(transferId: string) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (body: ComplaintInput) => senderCall('reportComplaint', { params: { id: transferId }, body }),
    onSuccess: (reported) => receive(queryClient, reported),
    onError: () => void askAgain(queryClient, { queryKey: complaintKeys.ofTransfer(transferId) }),
  });
}
