import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { ReviewView } from '#core/contracts/http/review';
import { adminCall } from '../lib/admin-http.ts';
import { type CallInput, type CallOutput } from '../lib/http.ts';
import { askAgain, followLive } from '../lib/live.ts';
import { useSingleMutation } from '../lib/single-mutation.ts';
import { receiveAdminTransfer } from './admin-panel.ts';
import { reviewKeys } from './admin-query-keys.ts';

/** What is shown of the queue; the next ones follow as it empties. */
const shown = 50;

/** What waits for a decision, what ends first before, with what helps to decide. */
export const reviewsQuery = queryOptions({
  queryKey: reviewKeys.list,
  queryFn: ({ signal }) => adminCall('reviews', { query: { limit: shown }, signal }),
});

/** What helps to decide about one transfer. */
export const reviewQuery = (id: string) =>
  queryOptions({
    queryKey: reviewKeys.one(id),
    queryFn: async ({ signal }) => (await adminCall('review', { params: { id }, signal })).review,
  });

/** Takes in a review from a push or an answer, unless a newer one is known. */
function receiveReview(queryClient: QueryClient, review: ReviewView): void {
  const isNewer = (known: ReviewView | undefined) => !known || review.version >= known.version;
  queryClient.setQueryData<ReviewView>(
    reviewKeys.one(review.id),
    (known) => known && (isNewer(known) ? review : known),
  );
  queryClient.setQueryData<CallOutput<'reviews'>>(reviewKeys.list, (list) => {
    if (!list) return list;
    const items = list.items.map((item) =>
      item.review.id === review.id && isNewer(item.review) ? { ...item, review } : item,
    );
    return { ...list, items };
  });
}

/** A call that answers with the review as it is now; refused, the review is asked for again. */
function useReviewCall<Input>(id: string, perform: (input: Input) => Promise<{ review: ReviewView }>) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: perform,
    onSuccess: ({ review }) => receiveReview(queryClient, review),
    onError: () => askAgain(queryClient, { queryKey: reviewKeys.one(id) }),
  });
}

/** Takes a transfer for deciding (`true`) or leaves it. */
export const useClaim = (id: string) =>
  useReviewCall(id, (mine: boolean) => adminCall('claimReview', { params: { id }, body: { mine } }));

/** Takes any transfer of a list for deciding, or leaves it. Several may be under way at a time. */
export function useClaims(onError: (error: Error) => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, mine }: { id: string; mine: boolean }) =>
      adminCall('claimReview', { params: { id }, body: { mine } }),
    onSuccess: ({ review }) => receiveReview(queryClient, review),
    onError: (error, { id }) => {
      onError(error);
      return askAgain(queryClient, { queryKey: reviewKeys.one(id) });
    },
  });
}

/** What an admin says of the check of names. */
export const useDecideScreening = (id: string) =>
  useReviewCall(id, (body: CallInput<'decideScreening'>['body']) =>
    adminCall('decideScreening', { params: { id }, body }),
  );

const questionsPageSize = 10;

/** What was asked of the sender of a transfer, with the answers, the newest first. */
export const reviewQuestionsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: reviewKeys.questions(id),
    queryFn: ({ pageParam: cursor, signal }) =>
      adminCall('reviewQuestions', { params: { id }, query: { cursor, limit: questionsPageSize }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
  });

/** Asks the sender something. */
export function useAskSender(id: string) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (body: CallInput<'askSender'>['body']) => adminCall('askSender', { params: { id }, body }),
    onSuccess: ({ transaction }) => receiveAdminTransfer(queryClient, transaction),
    onSettled: () => askAgain(queryClient, { queryKey: reviewKeys.all }),
  });
}

followLive('admin:review-changed', receiveReview);

/** A burst of changes asks the server once. */
const askAgainMs = 300;
let timer: ReturnType<typeof setTimeout> | undefined;

/** A transfer that came, left, or got its recipient changes the queue and the reasons of others. */
followLive('admin:transfer-changed', (queryClient) => {
  clearTimeout(timer);
  timer = setTimeout(() => void askAgain(queryClient, { queryKey: reviewKeys.all }), askAgainMs);
});
