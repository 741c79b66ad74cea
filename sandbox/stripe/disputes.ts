/** Disputes: opened by test cards or the control page, answered by the merchant, decided by the cardholder's bank. */
import type Stripe from 'stripe';
import { z } from 'zod';
import type { Call, SandboxContext } from '../context.ts';
import { wrongState } from '../server/errors.ts';
import { expand, pages, text, timeRange } from '../server/parameters.ts';
import { recordMovement } from './balance.ts';
import { DECIDING_TEXTS, returnCounteredFee } from './dispute-evidence.ts';
import {
  buildDispute,
  type Decision,
  isClosed,
  isInquiry,
  type OpeningOptions,
  RESPONSE_SECONDS,
  retrieveDispute,
} from './dispute-object.ts';
import { emit } from './events.ts';
import { endFraudWarnings } from './fraud-warnings.ts';
import { type Page, pageOf } from './lists.ts';
import { behaviourOf } from './payment-methods.ts';
import { closeReview } from './reviews.ts';

/** Schedules the dispute of an automatically disputed card shortly after the capture. */
export function planDispute(call: Call, charge: Stripe.Charge): void {
  const { context } = call;
  const plan = charge.payment_method ? behaviourOf(context, charge.payment_method).dispute : 'none';
  if (plan !== 'none') context.tasks.add('open_dispute', charge.id, context.clock.millis() + context.asyncDelayMs);
}

/** Opens the dispute that the test card of a charge triggers. */
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

/** Opens a dispute about a captured charge, by default for its unrefunded rest. */
export function openDispute(
  call: Call,
  charge: Stripe.Charge,
  { amount = charge.amount_captured - charge.amount_refunded, ...options }: Partial<OpeningOptions> = {},
): Stripe.Dispute {
  const { storage } = call.context;
  const opened = buildDispute(call, charge, { amount, ...options });
  const takes = !options.inquiry && options.prevented !== 'block';
  const dispute = takes ? withdraw(call, opened) : opened;
  storage.insert('dispute', dispute, {});
  const disputed = { ...charge, disputed: true };
  storage.save('charge', disputed);
  emit(call, 'charge.dispute.created', dispute);
  if (takes) emit(call, 'charge.dispute.funds_withdrawn', dispute);
  endFraudWarnings(call, disputed);
  closeReview(call, disputed, 'disputed');
  if (!isClosed(dispute)) planExpiry(call, dispute);
  return dispute;
}

/** The time for an answer ends a second after it was due. */
function planExpiry(call: Call, { id, evidence_details }: Stripe.Dispute): void {
  call.context.tasks.add('expire_dispute', id, ((evidence_details.due_by as number) + 1) * 1000);
}

/** Takes the disputed amount out of the balance, with the dispute fee unless the dispute was prevented. */
function withdraw(call: Call, dispute: Stripe.Dispute): Stripe.Dispute {
  const isFree = dispute.status === 'prevented';
  return withMovement(call, dispute, { type: 'dispute', amount: -dispute.amount, ...(isFree ? { fee: 0 } : {}) });
}

function withMovement(
  call: Call,
  dispute: Stripe.Dispute,
  movement: { type: 'dispute' | 'dispute_reversal'; amount: number; fee?: number },
): Stripe.Dispute {
  const id = recordMovement(call, { ...movement, currency: dispute.currency, source: dispute.id });
  const transaction = call.context.storage.find('balance_transaction', id) as Stripe.BalanceTransaction;
  return { ...dispute, balance_transactions: [...dispute.balance_transactions, transaction] };
}

/**
 * Whether the bank can make this decision: an appeal needs a lost dispute, all others an open one, and `expired` a
 * dispute with a pending answer.
 */
function mayDecide({ status }: Stripe.Dispute, decision: Decision): boolean {
  if (decision === 'appealable' || decision === 'appealed') return status === 'lost';
  if (decision === 'expired') return status.endsWith('needs_response');
  return !isClosed({ status });
}

/** Decides a dispute; does nothing where that is not possible. */
export function decideDispute(call: Call, id: string, decision: Decision): void {
  const before = call.context.storage.find('dispute', id);
  if (!before || !mayDecide(before, decision)) return;
  if (decision === 'escalated') escalate(call, before);
  else if (decision === 'appealable') offerAppeal(call, before);
  else close(call, before, decision);
}

function close(call: Call, before: Stripe.Dispute, decision: Decision): void {
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
  call.context.tasks.remove('expire_dispute', before.id);
  emit(call, 'charge.dispute.closed', after, before);
  if (after.status !== 'won') return;
  emit(call, 'charge.dispute.funds_reinstated', after, before);
  returnCounteredFee(call, after);
}

/** The bank would hear an appeal: evidence for it is due, and the amount stays with the cardholder. */
function offerAppeal(call: Call, before: Stripe.Dispute): void {
  const after: Stripe.Dispute = {
    ...before,
    status: 'appeal_needs_response',
    evidence_details: { ...before.evidence_details, due_by: call.context.clock.seconds() + RESPONSE_SECONDS },
  };
  call.context.storage.save('dispute', after);
  planExpiry(call, after);
  emit(call, 'charge.dispute.updated', after, before);
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
  planExpiry(call, after);
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

/** Decides the dispute by the text of the evidence, as in test mode. */
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
