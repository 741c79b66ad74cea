import type { AdminRole } from '#core/accounts/admin-roles';
import { isPermitted } from '#core/accounts/roles';
import type { EntityManager } from '#platform/database/database';
import { findResultsOf, lockComplaint } from '../complaints/complaint.repository.ts';
import { sendBack } from '../corrections/correct.ts';
import { bumpCaseVersions } from '../desk/desk-case.repository.ts';
import { endRequests, findBarredRequests } from '../desk/desk-request.repository.ts';
import { resumeHeldOperations } from '../provider-calls/operation.repository.ts';
import { endRateChangesOf } from '../rates/rate-changes.ts';
import { endBookRequestsOf } from '../reconciliation/book-exception.repository.ts';
import { bumpReviewVersion } from '../review/review.repository.ts';
import { lockTransfer } from '../transfers/transfer.repository.ts';
import { endRoleRequestsBy } from './role-request.repository.ts';

/**
 * Ends the waiting requests that a user's new role, or none, does not permit, in the transaction that changes the role.
 * Otherwise the second person would decide alone. A report of money paid by hand stays, because that money is gone.
 */
export async function endRequestsOf(
  em: EntityManager,
  { personId, role, at }: { personId: string; role: AdminRole | null; at: Date },
): Promise<void> {
  const requests = await findBarredRequests(em, { personId, role });
  const results = isPermitted(role, 'concludeComplaint') ? [] : await findResultsOf(em, personId);
  // In id order, like every transaction that locks several.
  const transferIds = [...new Set([...requests, ...results].map(({ transferId }) => transferId))].sort();
  for (const id of transferIds) await lockTransfer(em, id);
  await endRequests(em, requests, at);
  for (const { id } of results) {
    const complaint = await lockComplaint(em, id);
    if (complaint?.state === 'awaiting_approval' && complaint.foundById === personId) await sendBack(em, complaint, at);
  }
  for (const { transferId, action } of requests) {
    if (action === 'approve') await bumpReviewVersion(em, transferId, at);
    await bumpCaseVersions(em, transferId);
    await resumeHeldOperations(em, transferId, at);
  }
  if (!isPermitted(role, 'acceptException')) await endBookRequestsOf(em, personId, at);
  if (!isPermitted(role, 'setRate')) await endRateChangesOf(em, personId);
  if (!isPermitted(role, 'setRole')) await endRoleRequestsBy(em, personId, at);
}
