/** Stripe's table of test cards, written here independently of the code. */
import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { SandboxClient } from '../testing/sandbox-client.ts';
import { passesLuhn, TEST_CARDS } from './test-cards.ts';

// Long timeouts for a busy machine; they are not waited for.
vi.setConfig({ testTimeout: 20_000, hookTimeout: 30_000 });

let client: SandboxClient;
beforeAll(async () => {
  client = await SandboxClient.start();
});
afterAll(() => client.close());

const SUCCEEDING: [method: string, number: string, brand: string][] = [
  ['pm_card_visa', '4242424242424242', 'visa'],
  ['pm_card_mastercard', '5555555555554444', 'mastercard'],
  ['pm_card_amex', '378282246310005', 'amex'],
  ['pm_card_riskLevelElevated', '4000000000009235', 'visa'],
  ['pm_card_cvcCheckFail', '4000000000000101', 'visa'],
  ['pm_card_avsZipFail', '4000000000000036', 'visa'],
  ['pm_card_threeDSecureOptional', '4000000000003055', 'visa'],
  ['pm_card_createDispute', '4000000000000259', 'visa'],
  ['pm_card_createDisputeProductNotReceived', '4000000000002685', 'visa'],
  ['pm_card_createDisputeInquiry', '4000000000001976', 'visa'],
  ['pm_card_createIssuerFraudRecord', '4000000000005423', 'visa'],
  ['pm_card_createMultipleDisputes', '4000000404000079', 'visa'],
  ['pm_card_pendingRefund', '4000000000007726', 'visa'],
  ['pm_card_refundFail', '4000000000005126', 'visa'],
  ['pm_card_bypassPending', '4000000000000077', 'visa'],
];

const DECLINED: [method: string, number: string, code: string, declineCode: string][] = [
  ['pm_card_visa_chargeDeclined', '4000000000000002', 'card_declined', 'generic_decline'],
  ['pm_card_chargeDeclined', '4000000000000002', 'card_declined', 'generic_decline'],
  ['pm_card_visa_chargeDeclinedInsufficientFunds', '4000000000009995', 'card_declined', 'insufficient_funds'],
  ['pm_card_visa_chargeDeclinedLostCard', '4000000000009987', 'card_declined', 'lost_card'],
  ['pm_card_visa_chargeDeclinedStolenCard', '4000000000009979', 'card_declined', 'stolen_card'],
  ['pm_card_visa_chargeDeclinedVelocityLimitExceeded', '4000000000006975', 'card_declined', 'card_velocity_exceeded'],
  ['pm_card_chargeDeclinedExpiredCard', '4000000000000069', 'expired_card', 'expired_card'],
  ['pm_card_chargeDeclinedIncorrectCvc', '4000000000000127', 'incorrect_cvc', 'incorrect_cvc'],
  ['pm_card_chargeDeclinedProcessingError', '4000000000000119', 'processing_error', 'processing_error'],
  ['pm_card_radarBlock', '4100000000000019', 'card_declined', 'fraudulent'],
  ['pm_card_chargeCustomerFail', '4000000000000341', 'card_declined', 'generic_decline'],
  ['pm_card_threeDSecureRequiredProcessingError', '4000008400001280', 'card_declined', 'generic_decline'],
];

const CHALLENGED: [method: string, number: string, declineCode: string | null][] = [
  ['pm_card_authenticationRequiredOnSetup', '4000002500003155', null],
  ['pm_card_authenticationRequired', '4000002760003184', null],
  ['pm_card_authenticationRequiredSetupForOffSession', '4000003800000446', null],
  ['pm_card_threeDSecure2Required', '4000000000003220', null],
  ['pm_card_threeDSecureRequiredChargeDeclined', '4000008400001629', 'generic_decline'],
  ['pm_card_authenticationRequiredChargeDeclinedInsufficientFunds', '4000008260003178', 'insufficient_funds'],
];

function fresh(id: string): Promise<Stripe.PaymentIntent> {
  return client.stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
}

function complete(id: string): Promise<unknown> {
  return client.control('POST', `/stripe/payment_intents/${id}/challenge`, { outcome: 'complete' });
}

describe('test cards that succeed', () => {
  test.each(SUCCEEDING)('the test card %s is authorized', async (method, number, brand) => {
    const held = await client.pay(method, { expand: ['latest_charge'] });
    expect(held.status).toBe('requires_capture');
    const card = (held.latest_charge as Stripe.Charge).payment_method_details?.card;
    expect(card).toMatchObject({ brand, last4: number.slice(-4) });
    expect(held.payment_method).not.toBe(method);

    const { status, body } = await client.confirmInBrowser(await client.intent(), number);
    expect({ status, intent: body.status }).toEqual({ status: 200, intent: 'requires_capture' });
  });

  test('test cards 9235, 0101 and 0036 succeed with elevated risk, a failed CVC check and a failed postal code check', async () => {
    const chargeOf = async (method: string) => {
      const { latest_charge } = await client.pay(method, { expand: ['latest_charge'] });
      return latest_charge as Stripe.Charge;
    };
    expect((await chargeOf('pm_card_riskLevelElevated')).outcome?.risk_level).toBe('elevated');
    expect((await chargeOf('pm_card_cvcCheckFail')).payment_method_details?.card?.checks?.cvc_check).toBe('fail');
    const zip = await chargeOf('pm_card_avsZipFail');
    expect(zip.payment_method_details?.card?.checks?.address_postal_code_check).toBe('fail');
    expect((await chargeOf('pm_card_visa')).outcome?.risk_level).toBe('normal');
  });

  test('funds of 4000…0077 are available at once', async () => {
    const { id } = await client.pay('pm_card_bypassPending');
    const { latest_charge } = await client.stripe.paymentIntents.capture(id, {
      expand: ['latest_charge.balance_transaction'],
    });
    const transaction = (latest_charge as Stripe.Charge).balance_transaction as Stripe.BalanceTransaction;
    expect(transaction).toMatchObject({ status: 'available', amount: 10_000 });
    const other = await client.stripe.paymentIntents.capture((await client.pay('pm_card_visa')).id, {
      expand: ['latest_charge.balance_transaction'],
    });
    expect(((other.latest_charge as Stripe.Charge).balance_transaction as Stripe.BalanceTransaction).status).toBe(
      'pending',
    );
  });
});

describe('test cards that are declined', () => {
  test.each(DECLINED)('the test card %s is declined with its codes', async (method, number, code, declineCode) => {
    const intent = await client.intent();
    const error = await client.stripe.paymentIntents
      .confirm(intent.id, { payment_method: method })
      .catch((caught) => caught);
    expect(error).toMatchObject({ type: 'StripeCardError', statusCode: 402, code, decline_code: declineCode });
    expect(error.payment_intent).toMatchObject({ id: intent.id, status: 'requires_payment_method' });

    const after = await fresh(intent.id);
    expect(after).toMatchObject({ status: 'requires_payment_method', payment_method: null, amount_capturable: 0 });
    expect(after.last_payment_error).toMatchObject({ type: 'card_error', code, decline_code: declineCode });
    expect(after.latest_charge).toMatchObject({ status: 'failed', paid: false, failure_code: code });
    expect(await client.eventTypes(intent.id)).toEqual([
      'payment_intent.created',
      'charge.failed',
      'payment_intent.payment_failed',
    ]);

    const { status, body } = await client.confirmInBrowser(await client.intent(), number);
    expect(status).toBe(402);
    expect(body.error).toMatchObject({ type: 'card_error', code, decline_code: declineCode });
  });

  test('the test card radarBlock is blocked before it reaches the card network', async () => {
    const intent = await client.intent();
    await client.stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_radarBlock' }).catch(() => {});
    const { outcome } = (await fresh(intent.id)).latest_charge as Stripe.Charge;
    expect(outcome).toMatchObject({ type: 'blocked', network_status: 'not_sent_to_network', risk_level: 'highest' });
  });

  test('a second card on the same payment intent succeeds', async () => {
    const intent = await client.intent();
    await client.stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_chargeDeclined' }).catch(() => {});
    const held = await client.stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' });
    expect(held).toMatchObject({ status: 'requires_capture', last_payment_error: null });
    const { data } = await client.stripe.charges.list({ payment_intent: intent.id });
    expect(data.map(({ status }) => status)).toEqual(['succeeded', 'failed']);
  });

  test('4000…0341 attaches to a customer before it declines', async () => {
    const customer = await client.stripe.customers.create();
    const method = await client.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: customer.id });
    await expect(client.pay(method.id, { customer: customer.id })).rejects.toMatchObject({ code: 'card_declined' });
  });
});

describe('test cards that require 3-D Secure', () => {
  test.each(CHALLENGED)('the test card %s requires a challenge', async (method, number, declineCode) => {
    const waiting = await client.pay(method, { use_stripe_sdk: true });
    expect(waiting).toMatchObject({ status: 'requires_action', latest_charge: null });
    expect(waiting.next_action?.type).toBe('use_stripe_sdk');
    await complete(waiting.id);
    const after = await fresh(waiting.id);
    expect(after.status).toBe(declineCode ? 'requires_payment_method' : 'requires_capture');
    expect(after.last_payment_error?.decline_code ?? null).toBe(declineCode);
    const charge = after.latest_charge as Stripe.Charge;
    expect(charge.payment_method_details?.card?.three_d_secure?.result).toBe('authenticated');

    const { body } = await client.confirmInBrowser(await client.intent(), number);
    expect(body.status).toBe('requires_action');
  });

  test('the test card 3055 is challenged only when the merchant requests 3-D Secure', async () => {
    const options = { payment_method_options: { card: { request_three_d_secure: 'any' as const } } };
    expect((await client.pay('pm_card_threeDSecureOptional', options)).status).toBe('requires_action');
    expect((await client.pay('pm_card_visa', options)).status).toBe('requires_capture');
  });

  test('the test card 3155 needs no challenge off session once set up, and 3184 always does', async () => {
    const customer = await client.stripe.customers.create();
    const offSession = async (method: string) => {
      const { id } = await client.stripe.paymentMethods.attach(method, { customer: customer.id });
      const setUp = { customer: customer.id, setup_future_usage: 'off_session' as const };
      await complete((await client.pay(id, setUp)).id);
      return client.pay(id, { customer: customer.id, off_session: true });
    };
    expect((await offSession('pm_card_authenticationRequiredOnSetup')).status).toBe('requires_capture');
    await expect(offSession('pm_card_authenticationRequired')).rejects.toMatchObject({
      statusCode: 402,
      code: 'authentication_required',
    });
  });

  test('the test card 0446 counts as set up without a challenge', async () => {
    const held = await client.pay('pm_card_authenticationRequiredSetupForOffSession', { off_session: true });
    expect(held.status).toBe('requires_capture');
  });
});

describe('card numbers that are not test cards', () => {
  test.each([
    ['4242424242424241', { code: 'incorrect_number', param: 'number' }],
    ['4111111111111111', { code: 'card_declined', decline_code: 'test_mode_live_card' }],
    ['12', { code: 'incorrect_number' }],
  ])('card number %s is refused', async (number, error) => {
    const intent = await client.intent();
    const { status, body } = await client.confirmInBrowser(intent, number);
    expect(status).toBe(402);
    expect(body.error).toMatchObject({ type: 'card_error', ...error });
    expect(await fresh(intent.id)).toMatchObject({ status: 'requires_payment_method', latest_charge: null });
  });

  test.each([
    [{ 'payment_method_data[card][exp_year]': '2020' }, 'invalid_expiry_year'],
    [{ 'payment_method_data[card][exp_month]': '13' }, 'invalid_expiry_month'],
    [{ 'payment_method_data[card][cvc]': '1' }, 'invalid_cvc'],
  ])('invalid card details %j are refused', async (details, code) => {
    const { status, body } = await client.confirmInBrowser(await client.intent(), '4242424242424242', details);
    expect(status).toBe(402);
    expect(body.error).toMatchObject({ code });
  });

  test('an unknown payment method is answered with resource_missing', async () => {
    await expect(client.pay('pm_card_nonsense')).rejects.toMatchObject({
      statusCode: 400,
      code: 'resource_missing',
      param: 'payment_method',
    });
  });
});

test('every test card has a valid number and is covered by this file', () => {
  const tested = new Set([...SUCCEEDING, ...DECLINED, ...CHALLENGED].map(([, number]) => number));
  const plain = ['4000056655665556', '5200828282828210', '6011111111111117'];
  expect(TEST_CARDS.filter(({ number }) => !passesLuhn(number))).toEqual([]);
  expect(TEST_CARDS.map(({ number }) => number).filter((number) => !tested.has(number))).toEqual(plain);
});
