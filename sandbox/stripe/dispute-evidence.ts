/** The merchant's evidence for a dispute, staged or submitted, and for an appeal. */
import type Stripe from 'stripe';
import { z } from 'zod';
import type { Call, SandboxContext } from '../context.ts';
import { invalidRequest, missingReference, wrongState } from '../server/errors.ts';
import { expand, flag, metadata, oneOf, withMetadata } from '../server/parameters.ts';
import { recordMovement } from './balance.ts';
import {
  type AppealChange,
  type Decision,
  type EvidenceChange,
  evidenceParameters,
  FILE_FIELDS,
  isClosed,
  isInquiry,
  retrieveDispute,
} from './dispute-object.ts';
import { emit } from './events.ts';

/** Texts of evidence that decide a dispute in test mode, as Stripe documents them. */
export const DECIDING_TEXTS: Record<string, Decision> = {
  winning_evidence: 'won',
  losing_evidence: 'lost',
  escalate_inquiry_evidence: 'escalated',
};

/** All characters of the evidence together. */
const EVIDENCE_MAX = 150_000;

/** What handing in evidence against a chargeback costs, in minor units. */
const COUNTERED_FEE = 1500;

/** Where evidence leads that is handed in; a dispute in any other status takes none. */
const SUBMITTED: Readonly<Record<string, Stripe.Dispute.Status>> = {
  warning_needs_response: 'warning_under_review',
  needs_response: 'under_review',
  appeal_needs_response: 'appeal_under_review',
};

export const updateParameters = z.strictObject({
  ...expand,
  evidence: evidenceParameters.optional(),
  intended_submission_method: oneOf(['manual', 'prefer_manual', 'prefer_smart_disputes', 'smart_disputes']).optional(),
  metadata: metadata.optional(),
  submit: flag.optional(),
});
type UpdateInput = z.infer<typeof updateParameters>;

/** Rejects updates that the status of a dispute does not allow. */
function checkUpdate(before: Stripe.Dispute, input: UpdateInput, submits: boolean): void {
  const { id, status } = before;
  const { evidence, intended_submission_method: method } = input;
  if (!evidence && !submits && !method) return;
  if (isClosed(before)) throw wrongState(`Dispute ${id} is already closed.`, 'status_transition_invalid');
  if (!SUBMITTED[status]) {
    throw wrongState(`The evidence of dispute ${id} was already submitted.`, 'status_transition_invalid');
  }
  const { appeal, ...regular } = evidence ?? {};
  if (appeal !== undefined && status !== 'appeal_needs_response') {
    throw wrongState(`Dispute ${id} cannot be appealed.`, 'status_transition_invalid', { param: 'evidence[appeal]' });
  }
  if (status === 'appeal_needs_response' && Object.keys(regular).length > 0) {
    const message = `Dispute ${id} is at the appeal stage: only evidence[appeal] can be updated.`;
    throw wrongState(message, 'status_transition_invalid', { param: 'evidence' });
  }
  if (method?.includes('smart_disputes')) {
    const message = `Dispute ${id} is not eligible for Smart Disputes.`;
    throw wrongState(message, 'smart_disputes_not_available', { param: 'intended_submission_method' });
  }
  const hasEvidence = before.evidence_details.has_evidence || evidence !== undefined;
  if (submits && !hasEvidence) throw invalidRequest(`Dispute ${id} has no evidence to submit.`, { param: 'submit' });
}

/**
 * Stores evidence, and submits it to the bank unless `submit` is false; `submit` alone submits the staged evidence. It
 * can be submitted once, and once more for an appeal.
 */
export function updateDispute(call: Call, id: string, input: UpdateInput): Stripe.Dispute {
  const { context } = call;
  const before = retrieveDispute(call, id);
  const submits = input.submit ?? input.evidence !== undefined;
  checkUpdate(before, input, submits);
  const { evidence_details: details } = before;
  const evidence = withEvidence(context, before.evidence, input.evidence);
  const after: Stripe.Dispute = {
    ...before,
    evidence,
    metadata: withMetadata(before.metadata, input.metadata),
    intended_submission_method: input.intended_submission_method ?? before.intended_submission_method,
    evidence_details: { ...details, has_evidence: details.has_evidence || input.evidence !== undefined },
  };
  if (submits) {
    after.status = SUBMITTED[before.status] as Stripe.Dispute.Status;
    after.evidence_details.submission_count += 1;
    after.evidence_details.submission_method = 'manual';
  }
  context.storage.save('dispute', after);
  emit(call, 'charge.dispute.updated', after, before);
  if (submits) submitted(call, before, after);
  return after;
}

function submitted(call: Call, before: Stripe.Dispute, { id, evidence }: Stripe.Dispute): void {
  const { tasks, clock, asyncDelayMs } = call.context;
  if (before.status === 'appeal_needs_response') return;
  if (!isInquiry(before)) moveCounteredFee(call, before, -COUNTERED_FEE);
  if (DECIDING_TEXTS[evidence.uncategorized_text ?? '']) {
    tasks.add('decide_dispute', id, clock.millis() + asyncDelayMs);
  }
}

/**
 * Countering a dispute costs an additional fee, which is returned when the dispute is won
 * (https://support.stripe.com/topics/disputes). Stripe does not document its balance transaction: here it is a fee
 * whose source is the dispute, apart from the dispute's own two movements.
 */
function moveCounteredFee(call: Call, { id, currency }: Stripe.Dispute, amount: number): void {
  const description = amount < 0 ? 'Dispute countered fee' : 'Dispute countered fee returned';
  recordMovement(call, { type: 'stripe_fee', amount, currency, source: id, description });
}

/** Returns the fee for countering a dispute, if one was taken. */
export function returnCounteredFee(call: Call, dispute: Stripe.Dispute): void {
  const { data } = call.context.storage.list('balance_transaction', {
    equal: { source: dispute.id, type: 'stripe_fee' },
    limit: 10,
  });
  if (data.reduce((sum, { amount }) => sum + amount, 0) < 0) moveCounteredFee(call, dispute, COUNTERED_FEE);
}

function withEvidence(
  context: SandboxContext,
  before: Stripe.Dispute.Evidence,
  { appeal, ...change }: EvidenceChange = {},
): Stripe.Dispute.Evidence {
  for (const field of FILE_FIELDS) checkFile(context, change[field], `evidence[${field}]`);
  const after = { ...before, ...change, ...(appeal === undefined ? {} : { appeal: appealFrom(context, appeal) }) };
  const size = Object.values(after).reduce<number>((sum, one) => sum + (typeof one === 'string' ? one.length : 0), 0);
  if (size > EVIDENCE_MAX)
    throw invalidRequest(`Evidence has up to ${EVIDENCE_MAX} characters.`, { param: 'evidence' });
  return after;
}

function checkFile(context: SandboxContext, id: string | null | undefined, param: string): void {
  if (!id) return;
  const file = context.storage.find('file', id);
  if (!file) throw missingReference('file', id, param);
  if (file.purpose !== 'dispute_evidence') {
    throw invalidRequest(`The file ${id} must have the purpose dispute_evidence.`, { param });
  }
}

function appealFrom(context: SandboxContext, appeal: AppealChange | null): Stripe.Dispute.Evidence.Appeal | null {
  if (!appeal?.card) return null;
  const { reason_for_filing: reason, supporting_files: files } = appeal.card;
  for (const id of files ?? []) checkFile(context, id, 'evidence[appeal][card][supporting_files]');
  return { card: { ...(reason ? { reason_for_filing: reason } : {}), ...(files ? { supporting_files: files } : {}) } };
}
