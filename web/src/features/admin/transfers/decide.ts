import { t } from '@lingui/core/macro';
import { useQueryClient } from '@tanstack/react-query';
import { type AdminTransferView, adminTransferView } from '#core/contracts/http/admin';
import type { RejectionCode } from '#core/review/rejection';
import { receiveAdminTransfer } from '../../../data/admin-panel.ts';
import { reviewKeys } from '../../../data/admin-query-keys.ts';
import { adminCall } from '../../../lib/admin-http.ts';
import { ApiFailure } from '../../../lib/http.ts';
import { askAgain } from '../../../lib/live.ts';
import { useSingleMutation } from '../../../lib/single-mutation.ts';
import { toastDone } from '../../../lib/toast.ts';

/** What an admin decides, with what they saw when they did. */
export type DecisionInput =
  | {
      readonly decision: 'approve';
      /** The first approval that was on screen; null: there was none. */
      readonly approvalRequestId: string | null;
    }
  | { readonly decision: 'reject'; readonly reason: string; readonly code: RejectionCode | null };

/** Names the mutation for `useIsMutating`. */
export const decideKey = ['decide'];

/**
 * Approves or rejects. Whether it worked or a colleague was first: the answer carries the transfer as it is now, and the
 * row shows it at once.
 */
export function useDecide(id: string, onDecided: () => void) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationKey: decideKey,
    mutationFn: (input: DecisionInput) =>
      input.decision === 'approve'
        ? adminCall('approve', { params: { id }, body: { approval_request_id: input.approvalRequestId } })
        : adminCall('reject', {
            params: { id },
            body: { ...(input.code && { code: input.code }), ...(input.reason && { reason: input.reason }) },
          }),
    onSuccess: ({ transaction }, { decision }) => {
      receiveAdminTransfer(queryClient, transaction);
      if (transaction.state === 'in_review') {
        toastDone(
          t`Falta la segunda aprobación`,
          t`La tarjeta todavía no se cobra: la tiene que aprobar otra persona.`,
        );
      } else if (decision === 'approve') {
        toastDone(t`Transferencia aprobada`, t`Se cobra la tarjeta y se paga al banco. El estado cambia solo.`);
      } else {
        toastDone(t`Transferencia rechazada`, t`La retención de la tarjeta se libera. No se cobró nada.`);
      }
      onDecided();
    },
    onError: (error) => {
      const now = transferIn(error);
      if (now) receiveAdminTransfer(queryClient, now);
    },
    // A first approval changes the review and leaves the transfer as it was; a refused decision rested on an old one.
    onSettled: () => askAgain(queryClient, { queryKey: reviewKeys.all }),
  });
}

/** The transfer as it is now, which a refused decision carries. */
export function transferIn(error: unknown): AdminTransferView | null {
  if (!(error instanceof ApiFailure)) return null;
  return adminTransferView.safeParse(error.details.transaction).data ?? null;
}

/** Why it cannot be decided any more, or null while it can: "Marta ya aprobó esta transferencia." */
export function decidedMessage(transfer: AdminTransferView): string | null {
  if (transfer.state === 'in_review') return null;
  if (!transfer.decided_at) return t`Esta transferencia ya no espera una decisión.`;
  const decidedBy = transfer.decided_by ?? t`Otra persona`;
  return transfer.state === 'rejected'
    ? t`${decidedBy} ya rechazó esta transferencia.`
    : t`${decidedBy} ya aprobó esta transferencia.`;
}
