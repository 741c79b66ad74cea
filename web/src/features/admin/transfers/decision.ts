import { t } from '@lingui/core/macro';
import { useQueryClient } from '@tanstack/react-query';
import { type AdminTransferView, adminTransferView } from '#core/contracts/http/admin';
import { receiveAdminTransfer } from '../../../data/admin-panel.ts';
import { ApiFailure, call } from '../../../lib/http.ts';
import { useSingleMutation } from '../../../lib/single-mutation.ts';
import { toastDone } from '../../../lib/toast.ts';

export type Decision = 'approve' | 'reject';

/**
 * Approves or rejects. Whether it worked or somebody else was first: the answer carries the transfer as it is now, and the
 * row shows it at once.
 */
export function useDecide(onDecided: () => void) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: ({ id, decision, reason }: { id: string; decision: Decision; reason: string }) =>
      decision === 'approve'
        ? call('approve', { params: { id } })
        : call('reject', { params: { id }, body: reason ? { reason } : {} }),
    onSuccess: ({ transaction }, { decision }) => {
      receiveAdminTransfer(queryClient, transaction);
      if (decision === 'approve') {
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
