/** Charges: one per payment attempt, from authorization to capture, release or refund. */
import type Stripe from 'stripe';
import { z } from 'zod';
import type { Call } from '../context.ts';
import { newId } from '../ids.ts';
import { missingObject } from '../server/errors.ts';
import { emptyable, expand, metadata, pages, text, timeRange, withMetadata } from '../server/parameters.ts';
import { recordMovement } from './balance.ts';
import { planDispute } from './disputes.ts';
import { changedFrom, emit } from './events.ts';
import { type Page, pageOf } from './lists.ts';
import { behaviourOf } from './payment-methods.ts';
import { closeReview } from './reviews.ts';
import type { Decline, TestCard } from './test-cards.ts';

/** Card authorizations are valid for seven days. */
export const HOLD_SECONDS = 7 * 86_400;

export interface ChargeAttempt {
  intent: Stripe.PaymentIntent;
  method: Stripe.PaymentMethod;
  card: TestCard;
  decline: Decline | null;
  /** Whether the cardholder passed 3-D Secure for this charge. */
  authenticated: boolean;
}

function outcomeOf({ card, decline }: ChargeAttempt): Stripe.Charge.Outcome {
  const riskScore = { normal: 20, elevated: 70, highest: 95 }[card.riskLevel];
  const risk = { risk_level: card.riskLevel, risk_score: riskScore };
  const base = { advice_code: decline?.adviceCode ?? null, network_advice_code: null };
  if (!decline) {
    const elevated = card.riskLevel === 'elevated';
    return {
      ...base,
      ...risk,
      network_decline_code: null,
      network_status: 'approved_by_network',
      reason: elevated ? 'elevated_risk_level' : null,
      seller_message: 'Payment complete.',
      type: elevated ? 'manual_review' : 'authorized',
    };
  }
  if (decline.blocked) {
    return {
      ...base,
      ...risk,
      network_decline_code: null,
      network_status: 'not_sent_to_network',
      reason: 'highest_risk_level',
      seller_message: 'Stripe blocked this payment as too risky.',
      type: 'blocked',
    };
  }
  return {
    ...base,
    ...risk,
    network_decline_code: decline.networkDeclineCode,
    network_status: 'declined_by_network',
    reason: decline.declineCode,
    seller_message: `The bank returned the decline code \`${decline.declineCode}\`.`,
    type: 'issuer_declined',
  };
}

function cardDetails(call: Call, attempt: ChargeAttempt): Stripe.Charge.PaymentMethodDetails.Card {
  const { intent, method, decline, authenticated } = attempt;
  const card = method.card as Stripe.PaymentMethod.Card;
  const held = intent.capture_method === 'manual' && !decline;
  return {
    amount_authorized: decline ? null : intent.amount,
    authorization_code: decline ? null : '123456',
    brand: card.brand,
    ...(held ? { capture_before: call.context.clock.seconds() + HOLD_SECONDS } : {}),
    checks: card.checks,
    country: card.country,
    electronic_commerce_indicator: authenticated ? '05' : null,
    exp_month: card.exp_month,
    exp_year: card.exp_year,
    ...(held
      ? { extended_authorization: { status: 'disabled' }, incremental_authorization: { status: 'unavailable' } }
      : {}),
    fingerprint: card.fingerprint ?? null,
    funding: card.funding,
    installments: null,
    last4: card.last4,
    mandate: null,
    ...(held ? { multicapture: { status: 'unavailable' } } : {}),
    network: card.brand,
    network_token: { used: false },
    network_transaction_id: decline?.blocked ? null : '756066106103016',
    ...(held ? { overcapture: { maximum_amount_capturable: intent.amount, status: 'unavailable' } } : {}),
    regulated_status: 'unregulated',
    three_d_secure: authenticated
      ? {
          authentication_flow: 'challenge',
          electronic_commerce_indicator: '05',
          exemption_indicator: null,
          result: 'authenticated',
          result_reason: null,
          transaction_id: newId('').slice(0, 20),
          version: '2.2.0',
        }
      : null,
    transaction_link_id: null,
    wallet: null,
  };
}

/** Builds the charge of an attempt; does not store it. */
export function buildCharge(call: Call, attempt: ChargeAttempt): Stripe.Charge {
  const { intent, method, decline } = attempt;
  return {
    id: newId('ch_3'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'CHASQUI SANDBOX',
    captured: false,
    created: call.context.clock.seconds(),
    currency: intent.currency,
    customer: intent.customer as string | null,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: outcomeOf(attempt),
    paid: !decline,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { card: cardDetails(call, attempt), type: 'card' },
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: intent.shipping,
    source: null,
    source_transfer: null,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: decline ? 'failed' : 'succeeded',
    transfer_data: null,
    transfer_group: intent.transfer_group,
  };
}

function withoutCaptureBefore(charge: Stripe.Charge): Stripe.Charge.PaymentMethodDetails | null {
  const details = charge.payment_method_details;
  if (!details?.card) return details;
  const { capture_before: _, ...card } = details.card;
  return { ...details, card };
}

/** Whether funds of this charge reach the balance at once instead of after two days. */
function availableAtOnce(call: Call, charge: Stripe.Charge): boolean {
  return charge.payment_method ? behaviourOf(call.context, charge.payment_method).availableAtOnce : false;
}

/** Books the captured amount; returns the balance transaction's id. */
function bookCapture(call: Call, charge: Stripe.Charge, amount: number): string {
  return recordMovement(call, {
    type: 'charge',
    amount,
    currency: charge.currency,
    source: charge.id,
    availableAtOnce: availableAtOnce(call, charge),
  });
}

/** Captures `amount` of an authorized charge and releases the rest. Emits charge.captured. */
export function captureHeld(call: Call, before: Stripe.Charge, amount: number): Stripe.Charge {
  const charge: Stripe.Charge = {
    ...before,
    amount_captured: amount,
    captured: true,
    balance_transaction: bookCapture(call, before, amount),
    payment_method_details: withoutCaptureBefore(before),
  };
  call.context.storage.save('charge', charge);
  call.context.tasks.remove('expire_hold', charge.id);
  emit(call, 'charge.captured', charge, before);
  planDispute(call, charge);
  return charge;
}

/**
 * Voids an authorization. Since 2025-03-31 that is no refund: the charge keeps `refunded: false`, and only an expiry has an event of the charge.
 * https://docs.stripe.com/changelog/basil/2025-03-31/remove-refund-from-partial-capture-and-payment-cancellation-flow
 */
export function releaseHeld(call: Call, before: Stripe.Charge, { expired }: { expired: boolean }): void {
  const charge: Stripe.Charge = { ...before, payment_method_details: withoutCaptureBefore(before) };
  call.context.storage.save('charge', charge);
  call.context.tasks.remove('expire_hold', charge.id);
  if (expired) emit(call, 'charge.expired', charge, before);
  closeReview(call, charge, 'canceled');
}

/** Asynchronous capture: creates the balance transaction after the charge succeeded. Emits charge.updated. */
export function bookCharge(call: Call, chargeId: string): void {
  const before = call.context.storage.find('charge', chargeId);
  if (!before || before.balance_transaction || !before.captured) return;
  const charge = { ...before, balance_transaction: bookCapture(call, before, before.amount_captured) };
  call.context.storage.save('charge', charge);
  emit(call, 'charge.updated', charge, before);
  planDispute(call, charge);
}

export const retrieveParameters = z.strictObject({ ...expand });

export function retrieveCharge(call: Call, id: string): Stripe.Charge {
  const charge = call.context.storage.find('charge', id);
  if (!charge) throw missingObject('charge', id);
  return charge;
}

export const updateParameters = z.strictObject({
  ...expand,
  description: emptyable(text(1000)).optional(),
  metadata: metadata.optional(),
  receipt_email: emptyable(text(512)).optional(),
});

export function updateCharge(call: Call, id: string, input: z.infer<typeof updateParameters>): Stripe.Charge {
  const before = retrieveCharge(call, id);
  const after = {
    ...before,
    ...(input.description !== undefined ? { description: input.description } : {}),
    ...(input.receipt_email !== undefined ? { receipt_email: input.receipt_email } : {}),
    metadata: withMetadata(before.metadata, input.metadata),
  };
  call.context.storage.save('charge', after);
  if (Object.keys(changedFrom(before, after)).length > 0) emit(call, 'charge.updated', after, before);
  return after;
}

export const listParameters = z.strictObject({
  ...pages,
  ...expand,
  created: timeRange.optional(),
  customer: text().optional(),
  payment_intent: text().optional(),
});

export function listCharges(call: Call, input: z.infer<typeof listParameters>): Page<Stripe.Charge> {
  return pageOf(call.context, 'charge', '/v1/charges', input, {
    equal: { customer: input.customer, payment_intent: input.payment_intent },
  });
}
