/** Every response and event of the simulator is checked against the SDK's types. */
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { SandboxClient } from '../testing/sandbox-client.ts';
import { stripeFor } from '../testing/start-stripe.ts';
import { type Sample, typeErrors } from '../testing/type-check.ts';
import { WebhookReceiver } from '../testing/webhook-receiver.ts';
import { TEST_CARDS } from './test-cards.ts';

// Long timeouts for a busy machine; they are not waited for.
vi.setConfig({ testTimeout: 20_000, hookTimeout: 30_000 });

const TYPES: Record<string, string> = {
  payment_intent: 'Stripe.PaymentIntent',
  charge: 'Stripe.Charge',
  refund: 'Stripe.Refund',
  dispute: 'Stripe.Dispute',
  'radar.early_fraud_warning': 'Stripe.Radar.EarlyFraudWarning',
  review: 'Stripe.Review',
  file: 'Stripe.File',
  payment_method: 'Stripe.PaymentMethod',
  customer: 'Stripe.Customer',
  webhook_endpoint: 'Stripe.WebhookEndpoint',
  balance: 'Stripe.Balance',
  balance_transaction: 'Stripe.BalanceTransaction',
};
const DELETED: Record<string, string> = {
  customer: 'Stripe.DeletedCustomer',
  webhook_endpoint: 'Stripe.DeletedWebhookEndpoint',
};
const ERROR_BODY = `{ error: {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'; message: string; code?: string;
  decline_code?: string; advice_code?: string; network_decline_code?: string; param?: string; doc_url?: string;
  charge?: string; payment_intent?: Stripe.PaymentIntent; payment_method?: Stripe.PaymentMethod } }`;

interface ApiObject {
  object?: string;
  type?: string;
  deleted?: boolean;
  error?: unknown;
  data?: unknown;
}

function samplesOf(value: ApiObject): Sample[] {
  if (value.error) return [{ type: ERROR_BODY, value }];
  if (value.object === 'list') {
    const data = value.data as ApiObject[];
    const envelope = {
      type: "{ object: 'list'; data: []; has_more: boolean; url: string }",
      value: { ...value, data: [] },
    };
    return [envelope, ...data.flatMap(samplesOf)];
  }
  if (value.object === 'event') {
    return [{ type: `Extract<Stripe.Event, { type: ${JSON.stringify(value.type)} }>`, value }];
  }
  const type = (value.deleted ? DELETED : TYPES)[value.object ?? ''];
  if (!type) throw new Error(`The sandbox returned an object without a type: ${JSON.stringify(value).slice(0, 200)}`);
  return [{ type, value }];
}

const responses: ApiObject[] = [];
let receiver: WebhookReceiver;
let client: SandboxClient;

/** A fetch that records every response of the SDK. */
async function listening(url: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  responses.push((await response.clone().json()) as ApiObject);
  return response;
}

async function payWithEveryCard(stripe: Stripe): Promise<void> {
  for (const { names, dispute } of TEST_CARDS) {
    const intent = await stripe.paymentIntents.create({
      amount: 10_000,
      currency: 'eur',
      capture_method: 'manual',
      allowed_payment_method_types: ['card'],
      description: 'Envío',
      metadata: { transfer_id: names[0] },
    });
    const params = { payment_method: `pm_card_${names[0]}`, expand: ['latest_charge.balance_transaction'] };
    const confirmed = await stripe.paymentIntents
      .confirm(intent.id, params)
      .catch((error) => error as Stripe.StripeRawError);
    if ('status' in confirmed && confirmed.status === 'requires_action') {
      await client.control('POST', `/stripe/payment_intents/${intent.id}/challenge`, { outcome: 'complete' });
    }
    const now = await stripe.paymentIntents.retrieve(intent.id, { expand: ['payment_method', 'latest_charge'] });
    if (now.status !== 'requires_capture') continue;
    await stripe.paymentIntents.capture(intent.id);
    if (dispute !== 'none') continue;
    await stripe.refunds.create({
      payment_intent: intent.id,
      expand: ['charge.payment_intent', 'balance_transaction'],
    });
  }
}

async function everythingElse(stripe: Stripe): Promise<void> {
  const redirects = { payment_method: 'pm_card_authenticationRequired', return_url: 'https://merchant.test/back' };
  const waiting = await stripe.paymentIntents.create({ amount: 500, currency: 'usd', confirm: true, ...redirects });
  await client.control('POST', `/stripe/payment_intents/${waiting.id}/challenge`, { outcome: 'fail' });
  await stripe.paymentIntents.update(waiting.id, { metadata: { a: 'b' }, payment_method: 'pm_card_mastercard' });
  await stripe.paymentIntents.cancel(waiting.id, { cancellation_reason: 'abandoned' });
  const released = await client.pay('pm_card_visa');
  await stripe.paymentIntents.cancel(released.id);
  const expired = await client.pay('pm_card_visa');
  await client.control('POST', `/stripe/payment_intents/${expired.id}/expire_hold`);
  const customer = await stripe.customers.create({ email: 'persona@example.com', payment_method: 'pm_card_visa' });
  await stripe.customers.update(customer.id, { name: 'Persona' });
  const method = await stripe.paymentMethods.attach('pm_card_amex', { customer: customer.id });
  await stripe.paymentMethods.update(method.id, { metadata: { a: 'b' } });
  const paid = await stripe.paymentIntents.create({
    ...{ amount: 900, currency: 'eur', confirm: true, payment_method: method.id, customer: customer.id },
    ...{ off_session: true, setup_future_usage: 'off_session', capture_method: 'automatic_async' },
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    shipping: { name: 'Persona', address: { line1: 'Calle 1', city: 'La Paz', country: 'BO' } },
    expand: ['customer', 'payment_method.customer'],
  });
  const partial = await stripe.refunds.create({
    payment_intent: paid.id,
    amount: 100,
    reason: 'requested_by_customer',
  });
  await stripe.refunds.update(partial.id, { metadata: { why: 'test' } });
  await stripe.refunds.cancel(partial.id).catch(() => {});
  await stripe.paymentMethods.detach(method.id);
  await stripe.customers.del(customer.id);
  const endpoint = await stripe.webhookEndpoints.create({
    url: 'https://merchant.test/hook',
    enabled_events: ['charge.captured'],
  });
  await stripe.webhookEndpoints.update(endpoint.id, { disabled: true });
  await stripe.webhookEndpoints.retrieve(endpoint.id);
  await stripe.webhookEndpoints.del(endpoint.id);
  await stripe.paymentIntents.retrieve('pi_nothing').catch(() => {});
  await stripe.paymentIntents.create({ amount: 1, currency: 'eur' }).catch(() => {});
  await stripeFor(client.sandbox.url, 'sk_test_wrong', { httpClient: Stripe.createFetchHttpClient(listening) })
    .balance.retrieve()
    .catch(() => {});
}

async function warnOfFraud(stripe: Stripe): Promise<void> {
  const { id } = await client.pay('pm_card_createIssuerFraudRecord');
  await stripe.paymentIntents.capture(id);
  await client.idle();
  const { data } = await stripe.radar.earlyFraudWarnings.list({ payment_intent: id, expand: ['data.charge'] });
  await stripe.radar.earlyFraudWarnings.retrieve(data[0]?.id ?? '');
  await stripe.refunds.create({ payment_intent: id });
}

async function review(stripe: Stripe): Promise<void> {
  await client.pay('pm_card_riskLevelElevated');
  const { data } = await stripe.reviews.list({ expand: ['data.charge', 'data.payment_intent'] });
  const [{ id }] = data as [Stripe.Review];
  await stripe.reviews.approve(id, { expand: ['payment_intent.latest_charge.review'] });
  await stripe.reviews.retrieve(id);
}

async function dispute(stripe: Stripe): Promise<void> {
  const receipt = { data: Buffer.from('%PDF-1.7\n'), name: 'recibo.pdf', type: 'application/pdf' };
  const file = await stripe.files.create({ purpose: 'dispute_evidence', file: receipt });
  await stripe.files.retrieve(file.id);
  const answers = [
    ['pm_card_createDispute', 'winning_evidence'],
    ['pm_card_createDisputeProductNotReceived', 'losing_evidence'],
    ['pm_card_createDisputeInquiry', 'escalate_inquiry_evidence'],
    ['pm_card_createMultipleDisputes', 'Pagamos.'],
  ] as const;
  for (const [card, uncategorized_text] of answers) {
    const { id } = await client.pay(card);
    await stripe.paymentIntents.capture(id);
    await client.idle();
    const { data } = await stripe.disputes.list({ payment_intent: id, expand: ['data.charge', 'data.payment_intent'] });
    const [opened] = data as [Stripe.Dispute];
    if (!opened.is_charge_refundable) await stripe.refunds.create({ payment_intent: id }).catch(() => {});
    await stripe.disputes.update(opened.id, {
      evidence: { customer_name: 'Ana' },
      submit: false,
      metadata: { a: 'b' },
    });
    await stripe.disputes.update(opened.id, { evidence: { uncategorized_text, uncategorized_file: file.id } });
    await client.idle();
    await stripe.disputes.retrieve(opened.id);
    await stripe.disputes.close(opened.id).catch(() => {});
  }
}

async function readEverything(stripe: Stripe): Promise<void> {
  const all = { limit: 100 };
  await stripe.paymentIntents.list({
    ...all,
    expand: ['data.latest_charge.balance_transaction', 'data.payment_method'],
  });
  await stripe.charges.list({ ...all, expand: ['data.refunds', 'data.payment_intent'] });
  await stripe.refunds.list({ ...all, expand: ['data.failure_balance_transaction'] });
  await stripe.balanceTransactions.list({ ...all, expand: ['data.source'] });
  await stripe.balance.retrieve();
  await stripe.paymentMethods.list(all);
  await stripe.webhookEndpoints.list();
  for await (const event of stripe.events.list(all)) expect(event.api_version).toBe('2026-10-28.endive');
  const { data } = await stripe.charges.list({ limit: 1 });
  await stripe.charges.update(data[0]?.id ?? '', { description: 'Otro' });
}

beforeAll(async () => {
  receiver = await new WebhookReceiver().open();
  client = await SandboxClient.start({ webhookUrl: receiver.url });
  const stripe = stripeFor(client.sandbox.url, 'sk_test_sandbox', {
    httpClient: Stripe.createFetchHttpClient(listening),
  });
  await payWithEveryCard(stripe);
  await everythingElse(stripe);
  await dispute(stripe);
  await warnOfFraud(stripe);
  await review(stripe);
  await client.idle();
  await readEverything(stripe);
  await client.idle();
}, 30_000);
afterAll(async () => {
  await client.close();
  await receiver.close();
});

describe('the Stripe simulator against the types of the stripe package', () => {
  test('every response and every event has the SDK’s type', { timeout: 60_000 }, async () => {
    const samples = [...responses, ...receiver.received.map(({ event }) => event as ApiObject)].flatMap(samplesOf);
    const kinds = new Set(samples.map(({ value }) => (value as ApiObject).object ?? 'error'));
    expect([...kinds].sort()).toEqual([...Object.keys(TYPES), 'error', 'event', 'list'].sort());
    const found = await typeErrors(samples);
    expect(
      found.map((line) => `${line} <- ${JSON.stringify(samples[Number.parseInt(line, 10)]?.value)?.slice(0, 300)}`),
    ).toEqual([]);
  });

  test('the type check reports a missing field, an unknown field, an unknown value and a wrong event', {
    timeout: 60_000,
  }, async () => {
    const intent = (await client.intent()) as unknown as Record<string, unknown>;
    const { lastResponse: _, ...right } = intent;
    const { status: __, ...missing } = right;
    const event = receiver.received.find(({ event: { type } }) => type === 'charge.captured')?.event;
    const wrongEvent = { ...(event as object | undefined), data: { object: right } };
    const found = await typeErrors([
      { type: 'Stripe.PaymentIntent', value: right },
      { type: 'Stripe.PaymentIntent', value: missing },
      { type: 'Stripe.PaymentIntent', value: { ...right, surprise: 1 } },
      { type: 'Stripe.PaymentIntent', value: { ...right, status: 'paid' } },
      { type: 'Stripe.PaymentIntent', value: { ...right, capture_method: 'sometimes' } },
      { type: "Extract<Stripe.Event, { type: 'charge.captured' }>", value: wrongEvent },
    ]);
    expect([...new Set(found.filter((line) => /^\d/.test(line)).map((line) => Number.parseInt(line, 10)))]).toEqual([
      1, 2, 3, 4, 5,
    ]);
  });
});
