import { t } from '@lingui/core/macro';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { AdminTransferView } from '#core/contracts/http/admin';
import type { ReviewView } from '#core/contracts/http/review';
import { reviewQuery } from '../../../data/reviews.ts';
import { useSession } from '../../../data/session.ts';
import { useMay } from '../permitted.tsx';
import { approvalBlockedBecause } from './review-labels.ts';
import { awaitsDecision, decisionBlockedBecause } from './transfer-labels.ts';

/**
 * The review of a transfer that waits for a decision, and why this admin cannot approve the transfer now (null: they can). Nobody
 * approves what they could not read: while the review is loading, or its last load failed, there is no approval.
 */
export function useApproval(
  transfer: AdminTransferView,
  now: number,
): { review: UseQueryResult<ReviewView>; blocked: string | null } {
  const admin = useSession().data?.user;
  const may = useMay();
  const review = useQuery({ ...reviewQuery(transfer.id), enabled: awaitsDecision(transfer) && may('review') });
  const blocked = decisionBlockedBecause(transfer, 'approve', admin) ?? blockedByReview(review, admin?.id, now);
  return { review, blocked };
}

function blockedByReview(
  { data, error }: Pick<UseQueryResult<ReviewView>, 'data' | 'error'>,
  adminId: string | undefined,
  now: number,
): string | null {
  if (error) return t`No se pudo cargar lo que ayuda a decidir`;
  return data ? approvalBlockedBecause(data, adminId, now) : t`Cargando lo que ayuda a decidir`;
}
