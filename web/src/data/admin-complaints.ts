import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type AdminComplaintView, adminComplaintView } from '#core/contracts/http/complaints';
import { adminCall } from '../lib/admin-http.ts';
import { ApiFailure, type CallInput } from '../lib/http.ts';
import { followLive } from '../lib/live.ts';
import { useSingleMutation } from '../lib/single-mutation.ts';
import { adminComplaintKeys } from './admin-query-keys.ts';
import { VersionedCollection } from './versioned-collection.ts';

export type ComplaintStatus = 'open' | 'resolved';

const pageSize = 50;

const complaints = new VersionedCollection<AdminComplaintView, { readonly status: ComplaintStatus }>({
  keys: adminComplaintKeys,
  versionOf: ({ version }) => version,
  // Open ones by their next deadline; closed ones, the last first.
  compare: (a, b) =>
    a.next_due && b.next_due
      ? a.next_due.at.localeCompare(b.next_due.at) || a.id.localeCompare(b.id)
      : (b.closed_at ?? '').localeCompare(a.closed_at ?? '') || b.id.localeCompare(a.id),
  // Whether it is new to a list, and what this very admin may do, the server knows.
  belongs: (view, { status }) => ((status === 'open') === (view.closed_at === null) ? null : false),
});

/** Reports with a status, those first that are due first, page by page. */
export const complaintsQuery = (status: ComplaintStatus) =>
  complaints.list({ status }, (cursor, signal) =>
    adminCall('adminComplaints', { query: { status, cursor, limit: pageSize }, signal }),
  );

/** One report as it is now, at once when the list has it. */
export function useComplaint(id: string, row: AdminComplaintView | undefined) {
  const one = complaints.one(
    id,
    async (signal) => (await adminCall('adminComplaint', { params: { id }, signal })).complaint,
  );
  const query = useQuery({ ...one, placeholderData: row });
  return { ...query, data: row && (!query.data || row.version > query.data.version) ? row : query.data };
}

/** The accounts that a family can be paid a second time to; asked for anew each time, because the sender may change them. */
export const useComplaintAccounts = (id: string) =>
  useQuery({
    queryKey: adminComplaintKeys.accounts(id),
    queryFn: ({ signal }) => adminCall('complaintAccounts', { params: { id }, signal }),
    staleTime: 0,
  });

/** A call that answers with the report as it is now, also when it is refused because it moved on. */
function useComplaintCall<Input>(perform: (input: Input) => Promise<{ complaint: AdminComplaintView }>) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: perform,
    onSuccess: ({ complaint }) => complaints.receive(queryClient, complaint),
    onError: (error) => {
      const now = adminComplaintView.safeParse(error instanceof ApiFailure && error.details.complaint);
      if (now.success) complaints.receive(queryClient, now.data);
    },
  });
}

/** Takes a report (`true`) or leaves it. */
export const useAssignComplaint = (id: string) =>
  useComplaintCall((mine: boolean) => adminCall('assignComplaint', { params: { id }, body: { mine } }));

export const useNoteComplaint = (id: string) =>
  useComplaintCall((text: string) => adminCall('noteComplaint', { params: { id }, body: { text } }));

export const useHoldComplaint = (id: string) =>
  useComplaintCall((reason: string) => adminCall('holdComplaint', { params: { id }, body: { reason } }));

/** The result of an investigation; its amount is decimal text. */
export type ConclusionInput = CallInput<'concludeComplaint'>['body'];

export const useConcludeComplaint = (id: string) =>
  useComplaintCall((body: ConclusionInput) => adminCall('concludeComplaint', { params: { id }, body }));

export const useApproveComplaint = (id: string) =>
  useComplaintCall((body: { approve: boolean; note: string; found_at?: string | undefined }) =>
    adminCall('approveComplaint', { params: { id }, body }),
  );

export const useCorrectComplaint = (id: string) =>
  useComplaintCall((_: null) => adminCall('correctComplaint', { params: { id } }));

followLive('admin:complaint-changed', (queryClient, view) => {
  complaints.receive(queryClient, view);
  complaints.askAgainSoon(queryClient, adminComplaintKeys.all);
});
