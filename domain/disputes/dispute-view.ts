import type { DisputeView } from '#core/contracts/http/disputes';
import { formatMinor } from '#core/money/money';
import { needsEvidence } from '#core/operations/dispute';
import type { Dispute } from './dispute.repository.ts';

/** Whether an admin can still submit evidence. */
export function isAnswerable({ status, submittedAt }: Dispute): boolean {
  return needsEvidence(status) && !submittedAt;
}

/** A dispute as admins see it. */
export function toDisputeView(dispute: Dispute): DisputeView {
  return {
    id: dispute.id,
    status: dispute.status,
    reason: dispute.reason,
    amount: formatMinor(dispute.amountMinor),
    currency: dispute.currency as DisputeView['currency'],
    evidence_due_by: dispute.evidenceDueBy?.toISOString() ?? null,
    submitted_at: dispute.submittedAt?.toISOString() ?? null,
    response_text: dispute.responseText ?? null,
    can_respond: isAnswerable(dispute),
  };
}
