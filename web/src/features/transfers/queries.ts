import { useMutation, useQueryClient } from '@tanstack/react-query';
import { transferView } from '#core/contracts/http/transfers';
import { ApiFailure, call } from '../../lib/http.ts';
import { writeTransfer } from '../../lib/transfers.ts';

/** Asks for the payment of a transfer that was left unpaid. A refusal means that the list is out of date. */
export function useResumePayment(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call('resumePayment', { params: { id } }),
    onError: () => queryClient.invalidateQueries({ queryKey: ['transfers'] }),
  });
}

/** Cancels a transfer. Also a refusal brings the transfer as it is now, and it is shown. */
export function useCancelTransfer(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call('cancelTransfer', { params: { id } }),
    onSuccess: (cancelled) => writeTransfer(queryClient, cancelled),
    onError: (error) => {
      const now = transferView.safeParse(error instanceof ApiFailure && error.details.transaction);
      if (now.success) writeTransfer(queryClient, now.data);
    },
  });
}

/** Names another account for a payout that the bank refused. A refusal means that the transfer is out of date. */
export function useCorrectAccount(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (recipientId: string) => call('correctAccount', { params: { id }, body: { recipientId } }),
    onSuccess: ({ transaction }) => writeTransfer(queryClient, transaction),
    onError: (error) => {
      const now = transferView.safeParse(error instanceof ApiFailure && error.details.transaction);
      if (now.success) writeTransfer(queryClient, now.data);
      else void queryClient.invalidateQueries({ queryKey: ['transfers'] });
    },
  });
}
