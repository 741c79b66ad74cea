import { Failure } from '#core/contracts/failures';
import type { DisputeView } from '#core/contracts/http/disputes';
import type { EntityManager } from '#platform/database/database';
import { isRefusal } from '#platform/stripe-errors';
import { writeAudit } from '../audit/audit.repository.ts';
import { bumpCaseVersions } from '../desk/desk-case.repository.ts';
import { type Dispute, findDispute, findDisputes, updateDispute } from '../disputes/dispute.repository.ts';
import { isAnswerable, toDisputeView } from '../disputes/dispute-view.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { syncDisputes } from '../payments/sync-disputes.ts';
import type { Attempt } from '../provider-calls/attempt.ts';
import { findOpenOperation, type Operation, openOperation } from '../provider-calls/operation.repository.ts';
import { lockTransfer } from '../transfers/transfer.repository.ts';
import { collectEvidence } from './evidence.ts';
import { renderEvidence } from './evidence-pdf.ts';

/**
 * Submits an admin's evidence against a dispute, with the admin's text; the worker sends it. In the transaction of
 * `em`.
 * @throws Failure `not_found`, `own_transfer`, `action_not_possible` when it was answered or decided.
 */
export async function submitDisputeEvidence(
  em: EntityManager,
  { disputeId, adminId, text, at }: { disputeId: string; adminId: string; text: string; at: Date },
): Promise<DisputeView> {
  const seen = await findDispute(em, disputeId);
  const transfer = seen && (await lockTransfer(em, seen.transferId));
  if (!transfer) throw new Failure('not_found');
  if (transfer.userId === adminId) throw new Failure('own_transfer');
  const dispute = await findDispute(em, disputeId);
  const underWay = await findOpenOperation(em, transfer.id, 'dispute_response');
  if (!dispute || underWay || !isAnswerable(dispute)) throw new Failure('action_not_possible');
  await updateDispute(em, dispute, { responseText: text, respondedById: adminId, changedAt: at });
  await openOperation(em, transfer, 'dispute_response', {
    ...{ at, amountMinor: dispute.amountMinor, order: { providerReference: disputeId } },
  });
  await bumpCaseVersions(em, transfer.id);
  await writeAudit(em, 'dispute_answered', { subject: transfer.id, detail: { disputeId } });
  return toDisputeView((await findDispute(em, disputeId)) as Dispute);
}

/** Whether a response is about a dispute; those of a previous version do not record which. */
function isAnsweredBy({ id, responseText }: Dispute, { providerReference }: Operation): boolean {
  return responseText != null && (providerReference == null || providerReference === id);
}

/**
 * Submits the evidence that an admin requested. Stripe accepts evidence once, so the dispute is read first: a retry has
 * no second effect.
 */
export async function respondToDispute(context: JobContext, operation: Operation): Promise<Attempt> {
  const { stripe, database } = context;
  await syncDisputes(context, operation.transferId);
  const disputes = await findDisputes(database.fork(), operation.transferId);
  const dispute = disputes.find((one) => isAnsweredBy(one, operation) && isAnswerable(one));
  if (!dispute) return { result: 'unneeded' };
  const evidence = await collectEvidence(database.fork(), stripe, dispute);
  const data = await renderEvidence(evidence, dispute.changedAt);
  const file = { data, name: `${dispute.id}.pdf`, type: 'application/pdf' };
  try {
    const uploaded = await stripe.files.create({ purpose: 'dispute_evidence', file });
    await stripe.disputes.update(dispute.id, {
      evidence: {
        uncategorized_file: uploaded.id,
        uncategorized_text: evidence.statement,
        customer_name: evidence.customerName,
        customer_email_address: evidence.customerEmail,
        product_description: evidence.product,
        ...(evidence.serviceDate ? { service_date: evidence.serviceDate } : {}),
      },
      submit: true,
    });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await syncDisputes(context, operation.transferId);
    const after = await findDispute(database.fork(), dispute.id);
    if (after && !isAnswerable(after)) return { result: 'settled' };
    return { result: 'refused', error: (error as Error).message };
  }
  await syncDisputes(context, operation.transferId);
  return { result: 'settled' };
}
