import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { type CaseFilter, type DeskAction, type DeskCaseView, deskCaseView } from '#core/contracts/http/operations';
import { ApiFailure, call } from '../../../lib/http.ts';
import { followLive } from '../../../lib/live.ts';
import { useSingleMutation } from '../../../lib/single-mutation.ts';
import { NewestViews } from '../../../lib/versions.ts';
import type { Proof } from './proof.ts';

export type CaseStatus = 'open' | 'resolved';

const pageSize = 50;
const firstPage: { pageParam: string | undefined } = { pageParam: undefined };
const keys = {
  all: ['admin', 'cases'],
  list: (status: CaseStatus) => ['admin', 'cases', 'list', status],
  one: (id: string) => ['admin', 'cases', 'one', id],
} as const;

interface CasePage {
  items: DeskCaseView[];
  nextCursor: string | null;
}

const newest = new NewestViews<DeskCaseView>();

/** Cases with a status, the oldest first, page by page; all of them unless a filter narrows them. */
export const casesQuery = (status: CaseStatus, filter: CaseFilter = {}) =>
  infiniteQueryOptions({
    queryKey: [...keys.list(status), filter],
    queryFn: async ({ pageParam: cursor, signal }): Promise<CasePage> => {
      const page = await call('deskCases', { query: { ...filter, status, cursor, limit: pageSize }, signal });
      return { ...page, items: page.items.map((item) => newest.newest(item)) };
    },
    initialPageParam: firstPage.pageParam,
    getNextPageParam: (page) => page.nextCursor,
  });

const caseQuery = (id: string) =>
  queryOptions({
    queryKey: keys.one(id),
    queryFn: async ({ signal }) => {
      const answer = await call('deskCase', { params: { id }, signal });
      return newest.newest(answer.case);
    },
  });

/** One case as it is now. What the list knows of it is shown at once, but only its own answer has what was decided before. */
export function useCase(id: string, row: DeskCaseView | undefined) {
  const query = useQuery({ ...caseQuery(id), placeholderData: row });
  return { ...query, data: row && (!query.data || row.version > query.data.version) ? row : query.data };
}

/** Takes in a case from an answer: every view shows it, and a resolved one leaves the list of open ones. */
export function receiveCase(queryClient: QueryClient, received: DeskCaseView): void {
  const view = newest.newest(received);
  queryClient.setQueryData(caseQuery(view.id).queryKey, (known) => {
    const decided = view.decided ?? known?.decided;
    return known && { ...view, ...(decided && { decided }) };
  });
  queryClient.setQueriesData<InfiniteData<CasePage>>({ queryKey: keys.list('open') }, (list) => {
    const placed = (items: DeskCaseView[]) =>
      items.flatMap((item) => (item.id !== view.id ? item : view.resolved_at === null ? view : []));
    return list && { ...list, pages: list.pages.map((page) => ({ ...page, items: placed(page.items) })) };
  });
  void queryClient.invalidateQueries({ queryKey: keys.list('resolved') });
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

/** What an admin does about a case, and what they enter with it. */
export interface ActionInput {
  readonly action: DeskAction;
  readonly reason: string;
  readonly bank_reference?: string;
  /** Decimal text, "1291.17". */
  readonly amount?: string;
  readonly proof?: Proof;
}

export const useActOnCase = (id: string) =>
  useCaseCall((body: ActionInput) => call('actOnCase', { params: { id }, body }));

/** Takes a case (`true`) or leaves it. */
export const useAssignCase = (id: string) =>
  useCaseCall((mine: boolean) => call('assignCase', { params: { id }, body: { mine } }));

export const useNoteCase = (id: string) =>
  useCaseCall((text: string) => call('noteCase', { params: { id }, body: { text } }));

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
    call('decideDeskRequest', { params: { id: requestId }, body: { approve } }),
  );

/** Hands in the evidence against a dispute, with a text. The case shows it once it has been asked for again. */
export function useRespondToDispute(id: string) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (text: string) => call('respondToDispute', { params: { id }, body: { text } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.all }),
  });
}

const askAgainMs = 300;
let askIsDue = false;

/** Whether a case is new to the list, and what this very admin may do, the server knows; a burst of changes asks once. */
function askAgainSoon(queryClient: QueryClient): void {
  if (askIsDue) return;
  askIsDue = true;
  setTimeout(() => {
    askIsDue = false;
    void queryClient.invalidateQueries({ queryKey: keys.all });
  }, askAgainMs);
}

followLive('admin:case-changed', (queryClient, view) => {
  receiveCase(queryClient, view);
  askAgainSoon(queryClient);
});

/** Operations of a transfer change with it. */
followLive('admin:transfer-changed', (queryClient, transfer) => {
  const isShown = queryClient
    .getQueriesData<InfiniteData<CasePage> | DeskCaseView>({ queryKey: keys.all })
    .flatMap(([, data]) => (data && 'pages' in data ? data.pages.flatMap((page) => page.items) : (data ?? [])))
    .some((one) => one.transaction.id === transfer.id);
  if (isShown) askAgainSoon(queryClient);
});
