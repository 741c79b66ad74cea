import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query';
import { type TransferView, transferView } from '#core/contracts/http/transfers';
import { ApiFailure } from '../lib/http.ts';
import { followLive } from '../lib/live.ts';
import { senderCall } from '../lib/sender-http.ts';
import { useSingleMutation } from '../lib/single-mutation.ts';
import { transferKeys } from './sender-query-keys.ts';
import { writeTransfer } from './transfers.ts';

const pageSize = 10;

/** What Chasqui asks about a transfer of the sender's, with the answers, the newest first. */
export const ownQuestionsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: transferKeys.questions(id),
    queryFn: ({ pageParam: cursor, signal }) =>
      senderCall('transferQuestions', { params: { id }, query: { cursor, limit: pageSize }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
  });

/** Answers a question. Also a refusal brings the transfer as it is now, and it is shown: then the question may be gone, and `onOvertaken` says why. */
export function useAnswerQuestion(id: string, onOvertaken: (error: Error) => void) {
  const queryClient = useQueryClient();
  const show = (transfer: TransferView) => writeTransfer(queryClient, transfer);
  return useSingleMutation({
    mutationFn: ({ questionId, text }: { questionId: string; text: string }) =>
      senderCall('answerQuestion', { params: { id, questionId }, body: { text } }),
    onSuccess: ({ transaction }) => show(transaction),
    onError: (error) => {
      const now = transferView.safeParse(error instanceof ApiFailure && error.details.transaction);
      if (!now.success) return;
      show(now.data);
      onOvertaken(error);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: transferKeys.questions(id) }),
  });
}

// A question that is asked, or answered in another window, changes the transfer.
followLive('transfer:changed', (queryClient, { id }) => {
  void queryClient.invalidateQueries({ queryKey: transferKeys.questions(id) });
});
