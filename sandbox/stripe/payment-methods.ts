/** Payment methods, cards only. Of a card only what Stripe returns is stored, never its number or CVC. */
import { createHmac } from 'node:crypto';
import type Stripe from 'stripe';
import { z } from 'zod';
import type { Call, SandboxContext } from '../context.ts';
import { newId, randomText } from '../ids.ts';
import { invalidRequest, missingObject, missingReference, StripeError, wrongState } from '../server/errors.ts';
import { expand, ignored, metadata, oneOf, pages, text, withMetadata } from '../server/parameters.ts';
import { billingDetails, billingFrom } from './addresses.ts';
import { changedFrom, emit } from './events.ts';
import { type Page, pageOf } from './lists.ts';
import { passesLuhn, type TestCard, testCardByMethod, testCardByName, testCardByNumber } from './test-cards.ts';

const cardNumber = z.strictObject({
  number: z.string(),
  exp_month: z.string(),
  exp_year: z.string(),
  cvc: z.string().optional(),
  networks: ignored.optional(),
});
/** `payment_method_data` of a confirmation, and the body of a create. */
export const methodData = z.strictObject({
  type: oneOf(['card']),
  card: cardNumber.optional(),
  billing_details: billingDetails.optional(),
  metadata: metadata.optional(),
  allow_redisplay: oneOf(['always', 'limited', 'unspecified']).optional(),
  radar_options: ignored.optional(),
  client_attribution_metadata: ignored.optional(),
  guid: ignored.optional(),
  muid: ignored.optional(),
  sid: ignored.optional(),
  payment_user_agent: ignored.optional(),
  referrer: ignored.optional(),
  time_on_page: ignored.optional(),
});
export type MethodData = z.infer<typeof methodData>;

function cardError(code: string, message: string, param: string): StripeError {
  return new StripeError(402, 'card_error', message, { code, param }, { replayed: true });
}

interface CheckedCard {
  row: TestCard;
  expMonth: number;
  expYear: number;
  cvcGiven: boolean;
}

function checkCard(context: SandboxContext, input: z.infer<typeof cardNumber>): CheckedCard {
  const number = input.number.replaceAll(/[\s-]/g, '');
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) {
    throw cardError('incorrect_number', 'Your card number is incorrect.', 'number');
  }
  const expMonth = Number(input.exp_month);
  if (!/^\d{1,2}$/.test(input.exp_month) || expMonth < 1 || expMonth > 12) {
    throw cardError('invalid_expiry_month', "Your card's expiration month is invalid.", 'exp_month');
  }
  const expYear = Number(input.exp_year) + (input.exp_year.length === 2 ? 2000 : 0);
  const now = new Date(context.clock.millis());
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() + 1];
  if (!/^(\d{2}|\d{4})$/.test(input.exp_year) || expYear < year || expYear > year + 50) {
    throw cardError('invalid_expiry_year', "Your card's expiration year is invalid.", 'exp_year');
  }
  if (expYear === year && expMonth < month) {
    throw cardError('invalid_expiry_month', "Your card's expiration month is invalid.", 'exp_month');
  }
  const row = testCardByNumber(number);
  if (input.cvc !== undefined && !/^\d{3,4}$/.test(input.cvc)) {
    throw cardError('invalid_cvc', "Your card's security code is invalid.", 'cvc');
  }
  if (!row) {
    throw new StripeError(
      402,
      'card_error',
      'Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: https://docs.stripe.com/testing.',
      { code: 'card_declined', decline_code: 'test_mode_live_card', param: '' },
    );
  }
  return { row, expMonth, expYear, cvcGiven: input.cvc !== undefined };
}

/** The same for the same card; reveals nothing about the number without the stored secret. */
function fingerprint(context: SandboxContext, number: string): string {
  let secret = context.storage.setting<string | null>('fingerprint_secret', null);
  if (!secret) {
    secret = randomText(32);
    context.storage.setSetting('fingerprint_secret', secret);
  }
  const digest = createHmac('sha256', secret).update(number).digest('base64url');
  return digest.replaceAll(/[-_]/g, 'x').slice(0, 16);
}

function cardOf(context: SandboxContext, { row, expMonth, expYear, cvcGiven }: CheckedCard): Stripe.PaymentMethod.Card {
  return {
    brand: row.brand,
    checks: {
      address_line1_check: null,
      address_postal_code_check: row.postalCodeCheck === 'fail' ? 'fail' : null,
      cvc_check: cvcGiven ? row.cvcCheck : null,
    },
    country: row.country,
    display_brand: row.brand === 'amex' ? 'american_express' : row.brand,
    exp_month: expMonth,
    exp_year: expYear,
    fingerprint: fingerprint(context, row.number),
    funding: row.funding,
    generated_from: null,
    last4: row.number.slice(-4),
    networks: { available: [row.brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: row.authentication !== 'unsupported' },
    wallet: null,
  };
}

function insertMethod(
  call: Call,
  checked: CheckedCard,
  data: Partial<MethodData>,
  virtual = false,
): Stripe.PaymentMethod {
  const { context } = call;
  const method: Stripe.PaymentMethod = {
    id: newId('pm_1'),
    object: 'payment_method',
    allow_redisplay: data.allow_redisplay ?? 'unspecified',
    billing_details: billingFrom(data.billing_details),
    card: cardOf(context, checked),
    created: context.clock.seconds(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: withMetadata({}, data.metadata),
    type: 'card',
  };
  context.storage.insert('payment_method', method, {
    behaviour: checked.row.names[0],
    setUp: checked.row.authentication === 'on_session',
    virtual,
  });
  return method;
}

/** A payment method from card data. Card numbers are accepted from browsers only, with the publishable key. */
export function createFromData(call: Call, data: MethodData): Stripe.PaymentMethod {
  if (!data.card) {
    throw invalidRequest('Missing required param: card.', { code: 'parameter_missing', param: 'card' });
  }
  if (call.key === 'secret') {
    throw new StripeError(
      402,
      'card_error',
      'Sending credit card numbers directly to the Stripe API is generally unsafe. Use a test payment method such as pm_card_visa instead.',
    );
  }
  return insertMethod(call, checkCard(call.context, data.card), data);
}

/**
 * The stored payment method; throws when it is unknown. Each use of a `pm_card_*` id creates a new one, as at Stripe.
 */
export function resolveMethod(call: Call, id: string, param?: string): Stripe.PaymentMethod {
  const row = testCardByMethod(id);
  if (row) {
    const expYear = new Date(call.context.clock.millis()).getUTCFullYear() + 1;
    return insertMethod(call, { row, expMonth: 12, expYear, cvcGiven: true }, {}, true);
  }
  const method = call.context.storage.find('payment_method', id);
  if (!method) throw param ? missingReference('PaymentMethod', id, param) : missingObject('PaymentMethod', id);
  return method;
}

/** The test card behind a payment method. */
export function behaviourOf(context: SandboxContext, methodId: string): TestCard & { setUp: boolean } {
  const { behaviour, setUp } = context.storage.internals('payment_method', methodId);
  return { ...testCardByName(behaviour), setUp };
}

/** Stores that the cardholder has been authenticated for later payments. */
export function markSetUp(context: SandboxContext, method: Stripe.PaymentMethod): void {
  const internals = context.storage.internals('payment_method', method.id);
  context.storage.save('payment_method', method, { ...internals, setUp: true });
}

export const createParameters = z.strictObject({ ...methodData.shape, ...expand });

export function createMethod(call: Call, input: z.infer<typeof createParameters>): Stripe.PaymentMethod {
  return createFromData(call, input);
}

export const retrieveParameters = z.strictObject({ ...expand });

export function retrieveMethod(call: Call, id: string): Stripe.PaymentMethod {
  return resolveMethod(call, id);
}

export const updateParameters = z.strictObject({
  ...expand,
  metadata: metadata.optional(),
  billing_details: billingDetails.optional(),
});

export function updateMethod(call: Call, id: string, input: z.infer<typeof updateParameters>): Stripe.PaymentMethod {
  const before = resolveMethod(call, id);
  const after = {
    ...before,
    metadata: withMetadata(before.metadata ?? {}, input.metadata),
    ...(input.billing_details ? { billing_details: billingFrom(input.billing_details) } : {}),
  };
  call.context.storage.save('payment_method', after);
  if (Object.keys(changedFrom(before, after)).length > 0) emit(call, 'payment_method.updated', after, before);
  return after;
}

export const attachParameters = z.strictObject({ ...expand, customer: text() });

export function attachMethod(call: Call, id: string, input: z.infer<typeof attachParameters>): Stripe.PaymentMethod {
  const { storage } = call.context;
  if (!storage.find('customer', input.customer)) throw missingReference('customer', input.customer, 'customer');
  const method = { ...resolveMethod(call, id), customer: input.customer };
  storage.save('payment_method', method);
  emit(call, 'payment_method.attached', method);
  return method;
}

export function detachMethod(call: Call, id: string): Stripe.PaymentMethod {
  const before = resolveMethod(call, id);
  if (!before.customer) {
    const message = 'The payment method you provided is not attached to a customer so detachment is impossible.';
    throw wrongState(message, 'payment_method_unexpected_state');
  }
  const method = { ...before, customer: null };
  call.context.storage.save('payment_method', method);
  emit(call, 'payment_method.detached', method, before);
  return method;
}

export const listParameters = z.strictObject({
  ...pages,
  ...expand,
  customer: text().optional(),
  type: oneOf(['card']).optional(),
});

/** Payment methods of one customer, or all. */
export function listMethods(call: Call, input: z.infer<typeof listParameters>): Page<Stripe.PaymentMethod> {
  return pageOf(call.context, 'payment_method', '/v1/payment_methods', input, {
    equal: { customer: input.customer },
  });
}
