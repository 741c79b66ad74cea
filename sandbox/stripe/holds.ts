/** Authorizations: captured, canceled or expired. */
import type Stripe from 'stripe';
import { z } from 'zod';
import type { Call } from '../context.ts';
import { invalidRequest, wrongState } from '../server/errors.ts';
import {
  expand,
  flag,
  ignored,
  integer,
  metadata,
  oneOf,
  statementDescriptor,
  statementDescriptorSuffix,
  unsupported,
  withMetadata,
} from '../server/parameters.ts';
import { captureHeld, releaseHeld } from './charges.ts';
import { emit } from './events.ts';
import { findIntent } from './payment-intents.ts';

export const captureParameters = z.strictObject({
  ...expand,
  amount_to_capture: integer.optional(),
  final_capture: flag.optional(),
  metadata: metadata.optional(),
  statement_descriptor: statementDescriptor.optional(),
  statement_descriptor_suffix: statementDescriptorSuffix.optional(),
  amount_details: ignored.optional(),
  hooks: ignored.optional(),
  payment_details: ignored.optional(),
  application_fee_amount: unsupported.optional(),
  transfer_data: unsupported.optional(),
});

function heldCharge(call: Call, intent: Stripe.PaymentIntent): Stripe.Charge {
  const charge = call.context.storage.find('charge', intent.latest_charge as string);
  if (!charge) throw new Error(`${intent.id} is held without a charge`);
  return charge;
}

export function captureIntent(call: Call, id: string, input: z.infer<typeof captureParameters>): Stripe.PaymentIntent {
  const intent = findIntent(call, id);
  if (intent.status !== 'requires_capture') {
    throw wrongState(
      `This PaymentIntent could not be captured because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be captured: requires_capture.`,
      'payment_intent_unexpected_state',
      { payment_intent: intent },
    );
  }
  const amount = input.amount_to_capture ?? intent.amount_capturable;
  if (amount < 1) {
    const message = 'This value must be greater than or equal to 1.';
    throw invalidRequest(message, { code: 'parameter_invalid_integer', param: 'amount_to_capture' });
  }
  if (amount > intent.amount_capturable) {
    const message = `The amount (${amount}) is greater than the amount that can be captured (${intent.amount_capturable}).`;
    throw invalidRequest(message, { code: 'amount_too_large', param: 'amount_to_capture' });
  }
  if (input.final_capture === false) {
    throw invalidRequest('Multicapture is not available for this card.', { param: 'final_capture' });
  }
  captureHeld(call, heldCharge(call, intent), amount);
  const captured: Stripe.PaymentIntent = {
    ...intent,
    status: 'succeeded',
    amount_capturable: 0,
    amount_received: amount,
    metadata: withMetadata(intent.metadata, input.metadata),
    ...(input.statement_descriptor_suffix ? { statement_descriptor_suffix: input.statement_descriptor_suffix } : {}),
  };
  call.context.storage.save('payment_intent', captured);
  emit(call, 'payment_intent.succeeded', captured);
  return captured;
}

export const cancelParameters = z.strictObject({
  ...expand,
  cancellation_reason: oneOf(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer']).optional(),
});

const CANCELABLE = [
  'requires_payment_method',
  'requires_capture',
  'requires_confirmation',
  'requires_action',
  'processing',
];

function closeIntent(call: Call, intent: Stripe.PaymentIntent, reason: string | null): Stripe.PaymentIntent {
  const canceled: Stripe.PaymentIntent = {
    ...intent,
    status: 'canceled',
    amount_capturable: 0,
    canceled_at: call.context.clock.seconds(),
    cancellation_reason: reason,
    next_action: null,
  };
  call.context.storage.save('payment_intent', canceled);
  emit(call, 'payment_intent.canceled', canceled);
  return canceled;
}

export function cancelIntent(call: Call, id: string, input: z.infer<typeof cancelParameters>): Stripe.PaymentIntent {
  const intent = findIntent(call, id);
  if (!CANCELABLE.includes(intent.status)) {
    throw wrongState(
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: ${CANCELABLE.join(', ')}.`,
      'payment_intent_unexpected_state',
      { payment_intent: intent },
    );
  }
  const canceled = closeIntent(call, intent, input.cancellation_reason ?? null);
  if (intent.status === 'requires_capture') releaseHeld(call, heldCharge(call, intent), { expired: false });
  return canceled;
}

/** Expires an authorization that was neither captured nor canceled; otherwise does nothing. */
export function expireHold(call: Call, chargeId: string): void {
  const charge = call.context.storage.find('charge', chargeId);
  const intent = charge && call.context.storage.find('payment_intent', charge.payment_intent as string);
  if (!charge || intent?.status !== 'requires_capture' || intent.latest_charge !== chargeId) return;
  releaseHeld(call, charge, { expired: true });
  closeIntent(call, intent, 'expired');
}
