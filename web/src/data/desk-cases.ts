import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { adminRoutes } from '#core/contracts/http/admin-routes';
import type { FileInput } from '#core/contracts/http/files';
import { type CaseFilter, type DeskAction, type DeskCaseView, deskCaseView } from '#core/contracts/http/operations';
import { adminCall } from '../lib/admin-http.ts';
import { ApiFailure, callsOf } from '../lib/http.ts';
import { followLive } from '../lib/live.ts';
import { useSingleMutation } from '../lib/single-mutation.ts';
import { withStepUp } from '../lib/step-up.ts';
import { type UploadControl, uploading } from '../lib/uploads.ts';
import { deskCaseKeys } from './admin-query-keys.ts';
import { type Pages, rowsOf, VersionedCollection } from './versioned-collection.ts';

export type CaseStatus = 'open' | 'resolved';

const pageSize = 50;

/** Which cases a list shows. */
type ListFilter = CaseFilter & { readonly status: CaseStatus };

const cases = new VersionedCollection<DeskCaseView, ListFilter>({
  keys: deskCaseKeys,
  versionOf: ({ version }) => version,
  // Open ones, the oldest first; resolved ones, the last first.
  compare: (a, b) =>
    a.resolved_at && b.resolved_at
      ? b.resolved_at.localeCompare(a.resolved_at) || b.id.localeCompare(a.id)
      : a.opened_at.localeCompare(b.opened_at) || a.id.localeCompare(b.id),
  // Whether it is new to a list, and what this very admin may do, the server knows.
  belongs: (view, { status }) => ((status === 'open') === (view.resolved_at === null) ? null : false),
  // Only its own answer has what was decided before.
  merge: (known, pushed) => ({ ...pushed, ...(known.decided && !pushed.decided && { decided: known.decided }) }),
});

/** Cases with a status, the oldest first, page by page; all of them unless a filter narrows them. */
export const casesQuery = (status: CaseStatus, filter: CaseFilter = {}) =>
  cases.list({ ...filter, status }, (cursor, signal) =>
    adminCall('deskCases', { query: { ...filter, status, cursor, limit: pageSize }, signal }),
  );

const caseQuery = (id: string) =>
  cases.one(id, async (signal) => (await adminCall('deskCase', { params: { id }, signal })).case);

/** One case as it is now. What the list knows of it is shown at once, but only its own answer has what was decided before. */
export function useCase(id: string, row: DeskCaseView | undefined) {
  const query = useQuery({ ...caseQuery(id), placeholderData: row });
  return { ...query, data: row && (!query.data || row.version > query.data.version) ? row : query.data };
}

/** The accounts that the rest can be paid to; never cached, because the sender may change them. */
export const useCaseAccounts = (id: string) =>
  useQuery({
    queryKey: deskCaseKeys.accounts(id),
    queryFn: ({ signal }) => adminCall('caseAccounts', { params: { id }, signal }),
    staleTime: 0,
  });

/** Takes in a case from an answer: every view shows it, and a resolved one leaves the list of open ones. */
export function receiveCase(queryClient: QueryClient, received: DeskCaseView): void {
  cases.receive(queryClient, received);
}
/** The case as it is now, which a refusal carries when the case changed meanwhile. */
function caseIn(error: Error): DeskCaseView | null {
  if (!(error instanceof ApiFailure)) return null;
  return deskCaseView.safeParse(error.details.case).data ?? null;
}

/** A call that answers with the case as it is now, also when it is refused because somebody else was first. */
function useCaseCall<Input>(perform: (input: Input) => Promise<{ case: DeskCaseView }>) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: perform,
    onSuccess: (answer) => receiveCase(queryClient, answer.case),
    onError: (error) => {
      const now = caseIn(error);
      if (now) receiveCase(queryClient, now);
    },
  });
}

interface ActionInput {
  readonly action: DeskAction;
  readonly reason: string;
  /** Whom `pay_rest` pays, of the sender's recipients; the account that was paid unless given. */
  readonly recipient_id?: string;
}

/** Acts on a case, or reserves its transfer to settle it by hand. */
export const useActOnCase = (id: string) =>
  useCaseCall((body: ActionInput) => adminCall('actOnCase', { params: { id }, body }));

/** What was paid by hand for a reserved transfer; `amount` is decimal text, "1291.17". */
interface SettlementReport {
  readonly bank_reference: string;
  readonly amount: string;
  readonly proof: FileInput;
  readonly reason: string;
}

/** Reports that the money of a settlement by hand has left; the proof is uploaded. */
export const useReportSettlement = (requestId: string) =>
  useCaseCall(({ control, ...body }: SettlementReport & { control: UploadControl }) =>
    withStepUp(callsOf(adminRoutes, uploading(control)))('reportSettlement', { params: { id: requestId }, body }),
  );

/** Hands in the bank's proof that the money of a settlement by hand never left. */
export const useRefuteSettlement = (requestId: string) =>
  useCaseCall(({ control, ...body }: Pick<SettlementReport, 'proof' | 'reason'> & { control: UploadControl }) =>
    withStepUp(callsOf(adminRoutes, uploading(control)))('refuteSettlement', { params: { id: requestId }, body }),
  );

/** Frees a reserved transfer, for which nothing was sent. */
export const useDropSettlement = () =>
  useCaseCall(({ requestId }: { requestId: string; seen: DeskCaseView }) =>
    adminCall('dropSettlement', { params: { id: requestId } }),
  );

/** Takes a case (`true`) or leaves it. */
export const useAssignCase = (id: string) =>
  useCaseCall((mine: boolean) => adminCall('assignCase', { params: { id }, body: { mine } }));

export const useNoteCase = (id: string) =>
  useCaseCall((text: string) => adminCall('noteCase', { params: { id }, body: { text } }));

/** A decision about what another admin asked for. */
interface RequestDecision {
  readonly requestId: string;
  readonly approve: boolean;
  /** The case as the person who decides read it. */
  readonly seen: DeskCaseView;
}

/** Approves or declines what another admin asked for. */
export const useDecideRequest = () =>
  useCaseCall(({ requestId, approve }: RequestDecision) =>
    adminCall('decideDeskRequest', { params: { id: requestId }, body: { approve } }),
  );

/** Hands in the evidence against a dispute, with a text. The case shows it once it has been asked for again. */
export function useRespondToDispute(id: string) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (text: string) => adminCall('respondToDispute', { params: { id }, body: { text } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: deskCaseKeys.all }),
  });
}

followLive('admin:case-changed', (queryClient, view) => {
  cases.receive(queryClient, view);
  cases.askAgainSoon(queryClient, deskCaseKeys.all);
});

/** Operations of a transfer change with it. */
followLive('admin:transfer-changed', (queryClient, transfer) => {
  const isShown = queryClient
    .getQueriesData<Pages<DeskCaseView> | DeskCaseView>({ queryKey: deskCaseKeys.all })
    .flatMap(([, data]) => (data && 'pages' in data ? rowsOf(data) : (data ?? [])))
    .some((one) => one.transaction.id === transfer.id);
  if (isShown) cases.askAgainSoon(queryClient, deskCaseKeys.all);
});
