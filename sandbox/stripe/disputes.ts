/** Disputes: opened by test cards or the control page, answered by the merchant, decided by the cardholder's bank. */
import type Stripe from 'stripe';
import { z } from 'zod';
import type { Call, SandboxContext } from '../context.ts';
import { invalidRequest, missingObject, missingReference, wrongState } from '../server/errors.ts';
import { expand, flag, metadata, pages, text, timeRange, withMetadata } from '../server/parameters.ts';
import { recordMovement } from './balance.ts';
import {
  buildDispute,
  type EvidenceChange,
  evidenceParameters,
  FILE_FIELDS,
  isClosed,
  isInquiry,
} from './dispute-object.ts';
import { emit } from './events.ts';
import { endFraudWarnings } from './fraud-warnings.ts';
import { type Page, pageOf } from './lists.ts';
import { behaviourOf } from './payment-methods.ts';
import { closeReview } from './reviews.ts';

/**
 * How the bank decides: `escalated` makes an inquiry a chargeback, `expired` is the end of the time for an answer, `appealed` turns a
 * lost dispute into a won one.
 */
export type Decision = 'won' | 'lost' | 'escalated' | 'expired' | 'appealed';

/** Texts of evidence that decide a dispute in test mode, as Stripe documents them. */
const DECIDING_TEXTS: Record<string, Decision> = {
  winning_evidence: 'won',
  losing_evidence: 'lost',
  escalate_inquiry_evidence: 'escalated',
};

/** All characters of the evidence together. */
const EVIDENCE_MAX = 150_000;

/** A charge of a card that is disputed by itself gets its dispute a moment after the capture. */
export function planDispute(call: Call, charge: Stripe.Charge): void {
  const { context } = call;
  const plan = charge.payment_method ? behaviourOf(context, charge.payment_method).dispute : 'none';
  if (plan !== 'none') context.tasks.add('open_dispute', charge.id, context.clock.millis() + context.asyncDelayMs);
}

/** Opens the dispute that the card of a charge stands for. */
export function openPlannedDispute(call: Call, chargeId: string): void {
  const charge = call.context.storage.find('charge', chargeId);
  if (!charge?.payment_method || charge.refunded) return;
  const plan = behaviourOf(call.context, charge.payment_method).dispute;
  if (plan === 'none') return;
  if (plan !== 'several') {
    openDispute(call, charge, plan === 'inquiry' ? { inquiry: true } : { reason: plan });
    return;
  }
  const half = Math.floor(charge.amount_captured / 2);
  openDispute(call, charge, { amount: half });
  openDispute(call, charge, { amount: charge.amount_captured - half });
}

/** Opens a dispute or an inquiry about a captured charge, of what is left of it unless an amount is given. */
export function openDispute(
  call: Call,
  charge: Stripe.Charge,
  options: { amount?: number | undefined; reason?: string | undefined; inquiry?: boolean | undefined } = {},
): Stripe.Dispute {
  const { amount = charge.amount_captured - charge.amount_refunded, reason = 'fraudulent', inquiry = false } = options;
  const { storage, tasks } = call.context;
  const opened = buildDispute(call, charge, { amount, reason, inquiry });
  const dispute = inquiry ? opened : withdraw(call, opened);
  storage.insert('dispute', dispute, {});
  const disputed = { ...charge, disputed: true };
  storage.save('charge', disputed);
  emit(call, 'charge.dispute.created', dispute);
  if (!inquiry) emit(call, 'charge.dispute.funds_withdrawn', dispute);
  endFraudWarnings(call, disputed);
  closeReview(call, disputed, 'disputed');
  tasks.add('expire_dispute', dispute.id, ((dispute.evidence_details.due_by as number) + 1) * 1000);
  return dispute;
}

/** Takes the disputed amount and the dispute fee out of the balance. */
function withdraw(call: Call, dispute: Stripe.Dispute): Stripe.Dispute {
  return withMovement(call, dispute, { type: 'dispute', amount: -dispute.amount });
}

function withMovement(
  call: Call,
  dispute: Stripe.Dispute,
  movement: { type: 'dispute' | 'dispute_reversal'; amount: number },
): Stripe.Dispute {
  const id = recordMovement(call, { ...movement, currency: dispute.currency, source: dispute.id });
  const transaction = call.context.storage.find('balance_transaction', id) as Stripe.BalanceTransaction;
  return { ...dispute, balance_transactions: [...dispute.balance_transactions, transaction] };
}

/** Decides a dispute. Nothing happens to one that is closed (or, for an appeal, not lost), or whose answer came before its time was over. */
export function decideDispute(call: Call, id: string, decision: Decision): void {
  const before = call.context.storage.find('dispute', id);
  if (!before || (decision === 'appealed' ? before.status !== 'lost' : isClosed(before))) return;
  if (decision === 'expired' && before.evidence_details.submission_count > 0) return;
  if (decision === 'escalated') {
    escalate(call, before);
    return;
  }
  const past = decision === 'expired' ? { evidence_details: { ...before.evidence_details, past_due: true } } : {};
  const won = decision === 'won' || decision === 'appealed';
  const closed: Stripe.Dispute = {
    ...before,
    ...past,
    status: isInquiry(before) ? 'warning_closed' : won ? 'won' : 'lost',
    is_charge_refundable: isInquiry(before) || won,
  };
  const after =
    closed.status === 'won' ? withMovement(call, closed, { type: 'dispute_reversal', amount: before.amount }) : closed;
  call.context.storage.save('dispute', after);
  call.context.tasks.remove('expire_dispute', id);
  emit(call, 'charge.dispute.closed', after, before);
  if (after.status === 'won') emit(call, 'charge.dispute.funds_reinstated', after, before);
}

/** The bank is not content with the answer to its inquiry: now it takes the money. */
function escalate(call: Call, before: Stripe.Dispute): void {
  if (!isInquiry(before)) return;
  const { context } = call;
  const dueBy = context.clock.seconds() + (before.evidence_details.due_by as number) - before.created;
  const card = before.payment_method_details?.card as Stripe.Dispute.PaymentMethodDetails.Card;
  const after = withdraw(call, {
    ...before,
    status: 'needs_response',
    is_charge_refundable: false,
    evidence_details: { ...before.evidence_details, due_by: dueBy, submission_count: 0 },
    payment_method_details: { card: { ...card, case_type: 'chargeback' }, type: 'card' },
  });
  context.storage.save('dispute', after);
  context.tasks.add('expire_dispute', before.id, (dueBy + 1) * 1000);
  emit(call, 'charge.dispute.updated', after, before);
  emit(call, 'charge.dispute.funds_withdrawn', after, before);
}

/** The disputes of a charge, newest first. */
export function disputesOf(context: SandboxContext, chargeId: string): Stripe.Dispute[] {
  return context.storage.list('dispute', { equal: { charge: chargeId }, limit: 100 }).data;
}

/** Refuses a refund that the disputes of a charge forbid. */
export function checkRefundable(context: SandboxContext, charge: Stripe.Charge): void {
  if (disputesOf(context, charge.id).every((dispute) => dispute.is_charge_refundable)) return;
  throw wrongState(`Charge ${charge.id} has been charged back; cannot issue a refund.`, 'charge_disputed');
}

/** A charge that was refunded whole has nothing left to ask about: its inquiries are closed. */
export function closeInquiries(call: Call, charge: Stripe.Charge): void {
  if (!charge.refunded) return;
  for (const dispute of disputesOf(call.context, charge.id)) {
    if (isInquiry(dispute)) decideDispute(call, dispute.id, 'won');
  }
}

export const retrieveParameters = z.strictObject({ ...expand });

export function retrieveDispute(call: Call, id: string): Stripe.Dispute {
  const dispute = call.context.storage.find('dispute', id);
  if (!dispute) throw missingObject('dispute', id);
  return dispute;
}

export const updateParameters = z.strictObject({
  ...expand,
  evidence: evidenceParameters.optional(),
  metadata: metadata.optional(),
  submit: flag.optional(),
});

/** Evidence is kept, and handed to the bank unless `submit` is false; it can be handed in once. */
export function updateDispute(call: Call, id: string, input: z.infer<typeof updateParameters>): Stripe.Dispute {
  const { context } = call;
  const before = retrieveDispute(call, id);
  if (input.evidence && isClosed(before))
    throw wrongState(`Dispute ${id} is already closed.`, 'status_transition_invalid');
  const submits = input.evidence !== undefined && input.submit !== false;
  if (input.evidence && before.evidence_details.submission_count > 0) {
    throw wrongState(`The evidence of dispute ${id} was already submitted.`, 'status_transition_invalid');
  }
  const evidence = withEvidence(context, before.evidence, input.evidence);
  const submitted: Partial<Stripe.Dispute> = {
    status: isInquiry(before) ? 'warning_under_review' : 'under_review',
    evidence_details: {
      ...before.evidence_details,
      has_evidence: true,
      submission_count: before.evidence_details.submission_count + 1,
      submission_method: 'manual',
    },
  };
  const has_evidence = before.evidence_details.has_evidence || input.evidence !== undefined;
  const staged: Partial<Stripe.Dispute> = { evidence_details: { ...before.evidence_details, has_evidence } };
  const after: Stripe.Dispute = {
    ...before,
    evidence,
    metadata: withMetadata(before.metadata, input.metadata),
    ...(submits ? submitted : staged),
  };
  context.storage.save('dispute', after);
  emit(call, 'charge.dispute.updated', after, before);
  if (submits && DECIDING_TEXTS[evidence.uncategorized_text ?? '']) {
    context.tasks.add('decide_dispute', id, context.clock.millis() + context.asyncDelayMs);
  }
  return after;
}

function withEvidence(
  context: SandboxContext,
  before: Stripe.Dispute.Evidence,
  change: EvidenceChange = {},
): Stripe.Dispute.Evidence {
  for (const field of FILE_FIELDS) {
    const id = change[field];
    const param = `evidence[${field}]`;
    const file = id ? context.storage.find('file', id) : undefined;
    if (id && !file) throw missingReference('file', id, param);
    if (file && file.purpose !== 'dispute_evidence') {
      throw invalidRequest(`The file ${id} must have the purpose dispute_evidence.`, { param });
    }
  }
  const after = { ...before, ...change };
  const size = Object.values(after).reduce<number>((sum, one) => sum + (typeof one === 'string' ? one.length : 0), 0);
  if (size > EVIDENCE_MAX)
    throw invalidRequest(`Evidence has up to ${EVIDENCE_MAX} characters.`, { param: 'evidence' });
  return after;
}

/** What the text of the evidence stands for in test mode. */
export function decideByEvidence(call: Call, id: string): void {
  const decision = DECIDING_TEXTS[call.context.storage.find('dispute', id)?.evidence.uncategorized_text ?? ''];
  if (decision) decideDispute(call, id, decision);
}

/** The merchant gives in. */
export function closeDispute(call: Call, id: string): Stripe.Dispute {
  const dispute = retrieveDispute(call, id);
  if (isClosed(dispute)) throw wrongState(`Dispute ${id} is already closed.`, 'status_transition_invalid');
  decideDispute(call, id, 'lost');
  return retrieveDispute(call, id);
}

export const listParameters = z.strictObject({
  ...pages,
  ...expand,
  charge: text().optional(),
  created: timeRange.optional(),
  payment_intent: text().optional(),
});

export function listDisputes(call: Call, input: z.infer<typeof listParameters>): Page<Stripe.Dispute> {
  return pageOf(call.context, 'dispute', '/v1/disputes', input, {
    equal: { charge: input.charge, payment_intent: input.payment_intent },
  });
}
