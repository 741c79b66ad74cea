/**
 * PaymentIntents: create, retrieve, update, list. Confirmation is in payment-attempts.ts, capture and cancel in
 * holds.ts.
 */
import type Stripe from 'stripe';
import { z } from 'zod';
import type { Call } from '../context.ts';
import { newId, randomText } from '../ids.ts';
import { invalidRequest, missingObject, missingReference, StripeError, wrongState } from '../server/errors.ts';
import {
  emptyable,
  expand,
  flag,
  ignored,
  integer,
  listOf,
  metadata,
  oneOf,
  pages,
  statementDescriptor,
  statementDescriptorSuffix,
  text,
  timeRange,
  unsupported,
  withMetadata,
} from '../server/parameters.ts';
import { shippingFrom } from './addresses.ts';
import { checkAmount } from './amounts.ts';
import { emit } from './events.ts';
import { type Page, pageOf } from './lists.ts';
import { confirmFields, confirmStored } from './payment-attempts.ts';
import { resolveMethod } from './payment-methods.ts';

/** Parameters of Connect and of other parts of Stripe that are not simulated. */
const elsewhere = {
  application_fee_amount: unsupported.optional(),
  on_behalf_of: unsupported.optional(),
  transfer_data: unsupported.optional(),
  excluded_payment_method_types: unsupported.optional(),
  payment_method_configuration: unsupported.optional(),
  customer_account: unsupported.optional(),
  hooks: ignored.optional(),
  amount_details: ignored.optional(),
  payment_details: ignored.optional(),
};

const fields = {
  ...elsewhere,
  ...confirmFields,
  allowed_payment_method_types: listOf(text()).optional(),
  // Removed from the API in 2026-09-30.endive; accepted by the schema for a helpful error.
  payment_method_types: z.unknown().optional(),
  capture_method: oneOf(['automatic', 'automatic_async', 'manual']).optional(),
  customer: text().optional(),
  description: emptyable(text(1000)).optional(),
  metadata: metadata.optional(),
  statement_descriptor: statementDescriptor.optional(),
  statement_descriptor_suffix: statementDescriptorSuffix.optional(),
  transfer_group: text().optional(),
};

export const createParameters = z.strictObject({
  ...fields,
  amount: integer,
  currency: text(),
  automatic_payment_methods: z
    .strictObject({ enabled: flag, allow_redirects: oneOf(['always', 'never']).optional() })
    .optional(),
  confirm: flag.optional(),
  confirmation_method: oneOf(['automatic']).optional(),
});
export const updateParameters = z.strictObject({ ...fields, amount: integer.optional(), currency: text().optional() });

type Fields = z.infer<typeof updateParameters>;

function checkMethodTypes(input: Fields & { automatic_payment_methods?: unknown }): void {
  if (input.payment_method_types !== undefined) {
    throw invalidRequest(
      'The `payment_method_types` parameter is no longer supported in this API version. Use `allowed_payment_method_types` or `automatic_payment_methods` instead.',
      // https://docs.stripe.com/changelog/endive/2026-09-30/removes-the-payment-method-types-parameter-from-payment-intents-and-setup-intents
      { code: 'payment_method_types_no_longer_supported', param: 'payment_method_types' },
    );
  }
  if (input.allowed_payment_method_types && input.automatic_payment_methods) {
    throw invalidRequest(
      'You may only specify one of these parameters: automatic_payment_methods, allowed_payment_method_types.',
      { code: 'parameters_exclusive', param: 'allowed_payment_method_types' },
    );
  }
  const other = input.allowed_payment_method_types?.find((type) => type !== 'card' && type !== 'link');
  if (other) {
    throw invalidRequest(`The payment method type "${other.slice(0, 40)}" is not supported by the sandbox.`, {
      param: 'allowed_payment_method_types',
    });
  }
}

function checkCustomer(call: Call, id: string | undefined): void {
  if (id && !call.context.storage.find('customer', id)) throw missingReference('customer', id, 'customer');
}

function paymentMethodOptions(
  requested: 'any' | 'automatic' | 'challenge' | undefined,
): Stripe.PaymentIntent.PaymentMethodOptions {
  const request_three_d_secure = requested ?? 'automatic';
  return { card: { installments: null, mandate_options: null, network: null, request_three_d_secure } };
}

function build(call: Call, input: z.infer<typeof createParameters>): Stripe.PaymentIntent {
  const id = newId('pi_3');
  const allowed = input.allowed_payment_method_types ?? null;
  const redirects = input.automatic_payment_methods?.allow_redirects ?? 'always';
  const automatic = allowed || input.automatic_payment_methods?.enabled === false ? null : { enabled: true };
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: allowed as Stripe.PaymentIntent['allowed_payment_method_types'],
    amount: input.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: automatic && { allow_redirects: redirects, ...automatic },
    canceled_at: null,
    cancellation_reason: null,
    capture_method: input.capture_method ?? 'automatic_async',
    client_secret: `${id}_secret_${randomText(25)}`,
    confirmation_method: 'automatic',
    created: call.context.clock.seconds(),
    currency: input.currency.toLowerCase(),
    customer: input.customer ?? null,
    customer_account: null,
    description: input.description ?? null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: withMetadata({}, input.metadata),
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: paymentMethodOptions(input.payment_method_options?.card?.request_three_d_secure),
    payment_method_types: allowed ?? ['card'],
    payment_record: null,
    processing: null,
    receipt_email: input.receipt_email ?? null,
    review: null,
    setup_future_usage: input.setup_future_usage ?? null,
    shipping: shippingFrom(input.shipping),
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: input.statement_descriptor_suffix ?? null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: input.transfer_group ?? null,
  };
}

export function createIntent(call: Call, input: z.infer<typeof createParameters>): Stripe.PaymentIntent {
  checkMethodTypes(input);
  checkAmount(input.amount, input.currency.toLowerCase());
  checkCustomer(call, input.customer);
  const intent = build(call, input);
  if (input.payment_method && !input.confirm) {
    intent.payment_method = resolveMethod(call, input.payment_method, 'payment_method').id;
    intent.status = 'requires_confirmation';
  }
  call.context.storage.insert('payment_intent', intent, { returnUrl: null });
  emit(call, 'payment_intent.created', intent);
  return input.confirm ? confirmStored(call, intent, input) : intent;
}

export function findIntent(call: Call, id: string): Stripe.PaymentIntent {
  const intent = call.context.storage.find('payment_intent', id);
  if (!intent) throw missingObject('payment_intent', id, 'intent');
  return intent;
}

/** Throws unless the call has the secret key or the intent's client secret. */
export function checkClientSecret(call: Call, intent: Stripe.PaymentIntent, given: string | undefined): void {
  if (call.key === 'secret' && given === undefined) return;
  if (given === undefined) {
    const message = 'This API call with a publishable key needs the client_secret of the PaymentIntent.';
    throw new StripeError(401, 'invalid_request_error', message, {
      code: 'secret_key_required',
      param: 'client_secret',
    });
  }
  if (given !== intent.client_secret) {
    throw invalidRequest(
      'The client_secret provided does not match any associated PaymentIntent on this account. Ensure the provided client_secret and PaymentIntent belong to the same account.',
      { code: 'payment_intent_invalid_parameter', param: 'client_secret' },
    );
  }
}

export const retrieveParameters = z.strictObject({ ...expand, client_secret: text().optional() });

export function retrieveIntent(
  call: Call,
  id: string,
  input: z.infer<typeof retrieveParameters>,
): Stripe.PaymentIntent {
  const intent = findIntent(call, id);
  checkClientSecret(call, intent, input.client_secret);
  return intent;
}

const UPDATABLE = ['requires_payment_method', 'requires_confirmation', 'requires_action'];
/** Descriptive fields may change at any time, the others only before the payment. */
const ALWAYS_UPDATABLE = ['description', 'metadata', 'expand', 'receipt_email', 'transfer_group', 'shipping'];

export function updateIntent(call: Call, id: string, input: Fields): Stripe.PaymentIntent {
  const before = findIntent(call, id);
  checkMethodTypes(input);
  const late = Object.entries(input).find(([name, value]) => value !== undefined && !ALWAYS_UPDATABLE.includes(name));
  if (late && !UPDATABLE.includes(before.status)) {
    throw wrongState(
      `This PaymentIntent's ${late[0]} could not be updated because it has a status of ${before.status}. You may only update the ${late[0]} of a PaymentIntent with one of the following statuses: ${UPDATABLE.join(', ')}.`,
      'payment_intent_unexpected_state',
      { payment_intent: before },
    );
  }
  checkAmount(input.amount ?? before.amount, (input.currency ?? before.currency).toLowerCase());
  checkCustomer(call, input.customer);
  const plain = [
    'amount',
    'capture_method',
    'customer',
    'description',
    'receipt_email',
    'setup_future_usage',
    'statement_descriptor_suffix',
    'transfer_group',
  ] as const;
  const given = plain.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]);
  const after: Stripe.PaymentIntent = {
    ...before,
    ...Object.fromEntries(given),
    ...(input.shipping !== undefined ? { shipping: shippingFrom(input.shipping) } : {}),
    currency: (input.currency ?? before.currency).toLowerCase(),
    metadata: withMetadata(before.metadata, input.metadata),
  };
  if (input.allowed_payment_method_types) {
    after.allowed_payment_method_types = input.allowed_payment_method_types;
    after.payment_method_types = input.allowed_payment_method_types;
    after.automatic_payment_methods = null;
  }
  if (input.payment_method_options) {
    after.payment_method_options = paymentMethodOptions(input.payment_method_options.card?.request_three_d_secure);
  }
  if (input.payment_method) {
    after.payment_method = resolveMethod(call, input.payment_method, 'payment_method').id;
    after.status = 'requires_confirmation';
    after.next_action = null;
  }
  call.context.storage.save('payment_intent', after);
  return after;
}

export const listParameters = z.strictObject({
  ...pages,
  ...expand,
  created: timeRange.optional(),
  customer: text().optional(),
});

export function listIntents(call: Call, input: z.infer<typeof listParameters>): Page<Stripe.PaymentIntent> {
  return pageOf(call.context, 'payment_intent', '/v1/payment_intents', input, { equal: { customer: input.customer } });
}
