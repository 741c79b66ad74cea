/** Refunds: succeeding at once, succeeding later, or failing after they succeeded. */
import type Stripe from 'stripe';
import { z } from 'zod';
import type { Call, SandboxContext } from '../context.ts';
import { newId } from '../ids.ts';
import { invalidRequest, missingObject, missingReference, wrongState } from '../server/errors.ts';
import { expand, integer, metadata, oneOf, pages, text, timeRange, withMetadata } from '../server/parameters.ts';
import { recordMovement } from './balance.ts';
import { checkRefundable, closeInquiries } from './disputes.ts';
import { emit } from './events.ts';
import { endFraudWarnings } from './fraud-warnings.ts';
import { type Page, pageOf } from './lists.ts';
import { behaviourOf } from './payment-methods.ts';
import { closeReview } from './reviews.ts';

export const createParameters = z.strictObject({
  ...expand,
  amount: integer.optional(),
  charge: text().optional(),
  payment_intent: text().optional(),
  reason: oneOf(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata: metadata.optional(),
});
type CreateInput = z.infer<typeof createParameters>;

function chargeFor(call: Call, input: CreateInput): Stripe.Charge {
  const { storage } = call.context;
  if (input.charge) {
    const charge = storage.find('charge', input.charge);
    if (!charge) throw missingReference('charge', input.charge, 'charge');
    if (input.payment_intent && charge.payment_intent !== input.payment_intent) {
      throw invalidRequest('The charge does not belong to this payment intent.', { param: 'charge' });
    }
    return charge;
  }
  if (!input.payment_intent) {
    const message = 'One of the following params should be provided for this request: payment_intent or charge.';
    throw invalidRequest(message, { code: 'parameter_missing' });
  }
  const intent = storage.find('payment_intent', input.payment_intent);
  if (!intent) throw missingReference('payment_intent', input.payment_intent, 'payment_intent');
  const charge = intent.latest_charge ? storage.find('charge', intent.latest_charge as string) : undefined;
  if (charge?.status !== 'succeeded') {
    const message = `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`;
    throw wrongState(message, 'payment_intent_unexpected_state');
  }
  return charge;
}

/** Captured and not yet refunded, in minor units. */
function refundable(context: SandboxContext, charge: Stripe.Charge): number {
  const row = context.storage.one(
    `SELECT coalesce(sum(json_extract(body, '$.amount')), 0) AS refunded FROM objects
     WHERE kind = 'refund' AND json_extract(body, '$.charge') = ?
     AND json_extract(body, '$.status') NOT IN ('failed', 'canceled')`,
    charge.id,
  );
  return charge.amount_captured - Number(row?.refunded ?? 0);
}

function checkAmount(context: SandboxContext, charge: Stripe.Charge, requested: number | undefined): number {
  if (charge.status !== 'succeeded' || !charge.captured) {
    const message = charge.refunded
      ? `Charge ${charge.id} has already been refunded.`
      : `Charge ${charge.id} has not been captured; cancel its PaymentIntent to release it.`;
    throw wrongState(message, charge.refunded ? 'charge_already_refunded' : 'charge_not_refundable');
  }
  const left = refundable(context, charge);
  if (left === 0) throw wrongState(`Charge ${charge.id} has already been refunded.`, 'charge_already_refunded');
  const amount = requested ?? left;
  if (amount < 1) {
    throw invalidRequest('Invalid positive integer', { code: 'parameter_invalid_integer', param: 'amount' });
  }
  if (amount > left) {
    const message = `Refund amount (${amount}) is greater than unrefunded amount on charge (${left}), in minor units of ${charge.currency}.`;
    throw wrongState(message, 'charge_already_refunded', { param: 'amount' });
  }
  return amount;
}

/** Recomputes the charge's refunded totals and stores them. */
function restate(call: Call, before: Stripe.Charge): Stripe.Charge {
  const refunded = before.amount - refundable(call.context, before);
  const charge = { ...before, amount_refunded: refunded, refunded: refunded === before.amount };
  call.context.storage.save('charge', charge);
  return charge;
}

export function createRefund(call: Call, input: CreateInput): Stripe.Refund {
  const { context } = call;
  const charge = chargeFor(call, input);
  checkRefundable(context, charge);
  const amount = checkAmount(context, charge, input.amount);
  const isKeptPending = keptPending(context).includes(charge.payment_intent as string);
  const ofCard = charge.payment_method ? behaviourOf(context, charge.payment_method).refund : 'at_once';
  const plan = isKeptPending ? 'later' : ofCard;
  const id = newId('re_3');
  const movement = { type: 'refund', amount: -amount, currency: charge.currency, source: id } as const;
  const refund: Stripe.Refund = {
    id,
    object: 'refund',
    amount,
    balance_transaction: recordMovement(call, movement),
    charge: charge.id,
    created: context.clock.seconds(),
    currency: charge.currency,
    customer: charge.customer as string | null,
    customer_account: null,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata: withMetadata({}, input.metadata),
    payment_intent: charge.payment_intent as string | null,
    payment_method: charge.payment_method,
    ...(plan === 'later' ? { pending_reason: 'processing' } : {}),
    reason: input.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: plan === 'later' ? 'pending' : 'succeeded',
    transfer_reversal: null,
  };
  context.storage.insert('refund', refund, {});
  emit(call, 'refund.created', refund);
  const restated = restate(call, charge);
  emit(call, 'charge.refunded', restated, charge);
  closeInquiries(call, restated);
  endFraudWarnings(call, restated);
  if (restated.refunded) closeReview(call, restated, 'refunded');
  if (plan !== 'at_once' && !isKeptPending) {
    context.tasks.add('finish_refund', id, context.clock.millis() + context.asyncDelayMs);
  }
  return refund;
}

const KEPT_PENDING = 'refunds_kept_pending';
const keptPending = (context: SandboxContext) => context.storage.setting<string[]>(KEPT_PENDING, []);

/** From now on refunds of a payment stay pending; or no longer, and those that are pending succeed. Must run in a transaction. */
export function keepRefundsPending(call: Call, intentId: string, isPending: boolean): void {
  const { storage } = call.context;
  const others = keptPending(call.context).filter((id) => id !== intentId);
  storage.setSetting(KEPT_PENDING, isPending ? [...others, intentId] : others);
  if (isPending) return;
  const { data } = storage.list('refund', { equal: { payment_intent: intentId }, limit: 100 });
  for (const { id, status } of data) if (status === 'pending') finishRefund(call, id);
}

/**
 * The later result of a refund: pending becomes succeeded; one of a `refund: 'fails'` card fails and returns to the
 * balance.
 */
export function finishRefund(call: Call, refundId: string): void {
  const { storage } = call.context;
  const before = storage.find('refund', refundId);
  const charge = before && storage.find('charge', before.charge as string);
  if (!before || !charge) return;
  if (before.status === 'pending') {
    const { pending_reason: _, ...rest } = before;
    const refund: Stripe.Refund = { ...rest, status: 'succeeded' };
    storage.save('refund', refund);
    emit(call, 'refund.updated', refund, before);
    return;
  }
  if (before.status !== 'succeeded') return;
  const movement = {
    type: 'refund_failure',
    amount: before.amount,
    currency: before.currency,
    source: before.id,
  } as const;
  const refund: Stripe.Refund = {
    ...before,
    status: 'failed',
    failure_reason: 'expired_or_canceled_card',
    failure_balance_transaction: recordMovement(call, movement),
  };
  storage.save('refund', refund);
  emit(call, 'refund.failed', refund, before);
  emit(call, 'charge.updated', restate(call, charge), charge);
}

export const retrieveParameters = z.strictObject({ ...expand });

export function retrieveRefund(call: Call, id: string): Stripe.Refund {
  const refund = call.context.storage.find('refund', id);
  if (!refund) throw missingObject('refund', id);
  return refund;
}

export const updateParameters = z.strictObject({ ...expand, metadata: metadata.optional() });

export function updateRefund(call: Call, id: string, input: z.infer<typeof updateParameters>): Stripe.Refund {
  const before = retrieveRefund(call, id);
  const after = { ...before, metadata: withMetadata(before.metadata ?? {}, input.metadata) };
  call.context.storage.save('refund', after);
  if (input.metadata !== undefined) emit(call, 'refund.updated', after, before);
  return after;
}

/** Stripe cancels only refunds that wait for the customer; card refunds never do. */
export function cancelRefund(call: Call, id: string): Stripe.Refund {
  const refund = retrieveRefund(call, id);
  const message = `Refund ${id} has a status of ${refund.status}; only refunds that require action can be canceled.`;
  throw wrongState(message, 'status_transition_invalid');
}

export const listParameters = z.strictObject({
  ...pages,
  ...expand,
  charge: text().optional(),
  created: timeRange.optional(),
  payment_intent: text().optional(),
});

export function listRefunds(call: Call, input: z.infer<typeof listParameters>): Page<Stripe.Refund> {
  return pageOf(call.context, 'refund', '/v1/refunds', input, {
    equal: { charge: input.charge, payment_intent: input.payment_intent },
  });
}
