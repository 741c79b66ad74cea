/** Refunds through the API. */
import type Stripe from 'stripe';
import { z } from 'zod';
import type { Call, SandboxContext } from '../context.ts';
import { newId } from '../ids.ts';
import { invalidRequest, missingObject, missingReference, wrongState } from '../server/errors.ts';
import { expand, integer, metadata, oneOf, pages, text, timeRange, withMetadata } from '../server/parameters.ts';
import { checkRefundable, closeInquiries } from './disputes.ts';
import { emit } from './events.ts';
import { endFraudWarnings } from './fraud-warnings.ts';
import { type Page, pageOf } from './lists.ts';
import { behaviourOf } from './payment-methods.ts';
import { checkFunds, keptPending, recordRefund, refundable, restate } from './refund-outcomes.ts';
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

function checkAmount(context: SandboxContext, charge: Stripe.Charge, requested: number | undefined): number {
  if (charge.status !== 'succeeded' || !charge.captured) {
    const message = `Charge ${charge.id} has not been captured; cancel its PaymentIntent to release it.`;
    throw wrongState(message, 'charge_not_refundable');
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

export function createRefund(call: Call, input: CreateInput): Stripe.Refund {
  const { context } = call;
  const charge = chargeFor(call, input);
  checkRefundable(context, charge);
  const amount = checkAmount(context, charge, input.amount);
  checkFunds(context);
  const ofCard = charge.payment_method ? behaviourOf(context, charge.payment_method).refund : 'at_once';
  const kept = keptPending(context, charge);
  const pendingReason = kept ?? (ofCard === 'later' ? 'processing' : undefined);
  const id = newId('re_3');
  const refund: Stripe.Refund = {
    id,
    object: 'refund',
    amount,
    balance_transaction: null,
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
    ...(pendingReason ? { pending_reason: pendingReason } : {}),
    reason: input.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: pendingReason ? 'pending' : 'succeeded',
    transfer_reversal: null,
  };
  if (pendingReason !== 'insufficient_funds') refund.balance_transaction = recordRefund(call, refund);
  context.storage.insert('refund', refund, {});
  emit(call, 'refund.created', refund);
  const restated = restate(call, charge);
  emit(call, 'charge.refunded', restated, charge);
  closeInquiries(call, restated);
  endFraudWarnings(call, restated);
  if (restated.refunded) closeReview(call, restated, 'refunded');
  if (ofCard !== 'at_once' && !kept) {
    context.tasks.add('finish_refund', id, context.clock.millis() + context.asyncDelayMs);
  }
  return refund;
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
