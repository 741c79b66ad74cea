import fc from 'fast-check';
import type Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { SandboxClient } from '../testing/sandbox-client.ts';
import { WebhookReceiver } from '../testing/webhook-receiver.ts';

// Long timeouts for a busy machine; they are not waited for.
vi.setConfig({ testTimeout: 20_000, hookTimeout: 30_000 });

let client: SandboxClient;
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await new WebhookReceiver().open();
  client = await SandboxClient.start({ webhookUrl: receiver.url });
});
afterAll(async () => {
  await client.close();
  await receiver.close();
});

async function captured(card = 'pm_card_visa', amount = 10_000): Promise<string> {
  const { id } = await client.pay(card, { amount });
  await client.stripe.paymentIntents.capture(id);
  return id;
}

async function chargeOf(id: string): Promise<Stripe.Charge> {
  const { data } = await client.stripe.charges.list({ payment_intent: id, expand: ['data.refunds'] });
  return data[0] as Stripe.Charge;
}

test('partial refunds add up to the captured amount and never exceed it', async () => {
  const id = await captured();
  const first = await client.stripe.refunds.create({ payment_intent: id, amount: 3_000 });
  expect(first).toMatchObject({ amount: 3_000, status: 'succeeded', currency: 'eur' });
  expect(await chargeOf(id)).toMatchObject({ amount_refunded: 3_000, refunded: false });
  await expect(client.stripe.refunds.create({ payment_intent: id, amount: 7_001 })).rejects.toMatchObject({
    statusCode: 400,
    param: 'amount',
  });
  const rest = await client.stripe.refunds.create({ payment_intent: id });
  expect(rest.amount).toBe(7_000);
  const charge = await chargeOf(id);
  expect(charge).toMatchObject({ amount_refunded: 10_000, refunded: true });
  expect(charge.refunds?.data.map((refund) => refund.id)).toEqual([rest.id, first.id]);
  await expect(client.stripe.refunds.create({ payment_intent: id })).rejects.toMatchObject({
    code: 'charge_already_refunded',
  });
  expect((await client.stripe.paymentIntents.retrieve(id)).status).toBe('succeeded');
  expect((await client.eventTypes(id)).slice(-4)).toEqual([
    'refund.created',
    'charge.refunded',
    'refund.created',
    'charge.refunded',
  ]);
});

test('concurrent refunds of any amounts never exceed the captured amount', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 6 }), async (amounts) => {
      const id = await captured('pm_card_visa', 1_000);
      await Promise.allSettled(amounts.map((amount) => client.stripe.refunds.create({ payment_intent: id, amount })));
      const { data } = await client.stripe.refunds.list({ payment_intent: id });
      const total = data.reduce((sum, { amount }) => sum + amount, 0);
      const { amount_refunded } = await chargeOf(id);
      expect(total).toBe(amount_refunded);
      expect(total).toBeLessThanOrEqual(1_000);
    }),
    { numRuns: 15 },
  );
});

test('an authorization that was not captured cannot be refunded', async () => {
  const { id } = await client.pay('pm_card_visa');
  await expect(client.stripe.refunds.create({ payment_intent: id })).rejects.toMatchObject({
    code: 'charge_not_refundable',
  });
  const unpaid = await client.intent();
  await expect(client.stripe.refunds.create({ payment_intent: unpaid.id })).rejects.toMatchObject({ statusCode: 400 });
});

test('a refund to 4000…7726 is pending and then succeeds', async () => {
  const id = await captured('pm_card_pendingRefund');
  const refund = await client.stripe.refunds.create({ payment_intent: id });
  expect(refund).toMatchObject({ status: 'pending', pending_reason: 'processing' });
  await receiver.until(({ types }) => types.includes('refund.updated'));
  const event = receiver.received.find(({ event }) => event.type === 'refund.updated')?.event;
  expect(event?.data.previous_attributes).toMatchObject({ status: 'pending' });
  expect(event?.request).toEqual({ id: null, idempotency_key: null });
  expect((await client.stripe.refunds.retrieve(refund.id)).status).toBe('succeeded');
});

test('a refund to 4000…5126 succeeds, then fails and returns to the balance', async () => {
  const id = await captured('pm_card_refundFail');
  const refund = await client.stripe.refunds.create({ payment_intent: id });
  expect(refund.status).toBe('succeeded');
  await receiver.until(({ types }) => types.includes('refund.failed'));
  await client.idle();
  const after = await client.stripe.refunds.retrieve(refund.id, { expand: ['failure_balance_transaction'] });
  expect(after).toMatchObject({ status: 'failed', failure_reason: 'expired_or_canceled_card' });
  expect(after.failure_balance_transaction).toMatchObject({ amount: 10_000, type: 'refund_failure' });
  expect(await chargeOf(id)).toMatchObject({ amount_refunded: 0, refunded: false });
});

test('the balance is the captured amounts less fees and refunds', async () => {
  const own = await SandboxClient.start();
  try {
    const { id } = await own.pay('pm_card_bypassPending');
    await own.stripe.paymentIntents.capture(id);
    await own.stripe.refunds.create({ payment_intent: id, amount: 4_000 });
    const balance = await own.stripe.balance.retrieve();
    expect(balance.available[0]).toMatchObject({ amount: 10_000 - 320, currency: 'eur' });
    expect(balance.pending[0]).toMatchObject({ amount: -4_000 });
    await own.control('POST', '/clock/advance', { seconds: 3 * 86_400 });
    expect((await own.stripe.balance.retrieve()).available[0]?.amount).toBe(10_000 - 320 - 4_000);
    const { data } = await own.stripe.balanceTransactions.list({ type: 'refund' });
    expect(data).toMatchObject([{ amount: -4_000, fee: 0, net: -4_000 }]);
  } finally {
    await own.close();
  }
});

describe('an account whose balance does not cover refunds', () => {
  const setAccount = (uncoveredRefunds: string) => client.control('PUT', '/stripe/account', { uncoveredRefunds });
  const movements = async (source: string) =>
    (await client.stripe.balanceTransactions.list({ source })).data.map(({ net }) => net).reverse();
  afterEach(() => setAccount('none'));

  test('keeps them pending and takes nothing until it does', async () => {
    const id = await captured();
    await setAccount('pending');
    const refund = await client.stripe.refunds.create({ payment_intent: id });
    expect(refund).toMatchObject({
      ...{ status: 'pending', pending_reason: 'insufficient_funds', balance_transaction: null },
    });
    expect(await movements(refund.id)).toEqual([]);
    await client.control('POST', '/clock/advance', { seconds: 86_400 });
    await client.idle();
    expect((await client.stripe.refunds.retrieve(refund.id)).status).toBe('pending');
    await setAccount('none');
    expect((await client.stripe.refunds.retrieve(refund.id)).status).toBe('succeeded');
    expect(await movements(refund.id)).toEqual([-10_000]);
    expect((await client.eventTypes(id)).slice(-3)).toEqual(['refund.created', 'charge.refunded', 'refund.updated']);
  });

  test('may be refused them, and the same idempotency key is refused again', async () => {
    const id = await captured();
    await setAccount('refused');
    const refund = (idempotencyKey: string) => client.stripe.refunds.create({ payment_intent: id }, { idempotencyKey });
    const refusal = { type: 'StripeInvalidRequestError', code: 'balance_insufficient', statusCode: 400 };
    await expect(refund(`refund-1-${id}`)).rejects.toMatchObject(refusal);
    expect(await chargeOf(id)).toMatchObject({ amount_refunded: 0, refunded: false });
    await setAccount('none');
    await expect(refund(`refund-1-${id}`)).rejects.toMatchObject(refusal);
    expect((await refund(`refund-2-${id}`)).status).toBe('succeeded');
  });

  test('has one fail that it never covered, and nothing returns', async () => {
    const id = await captured();
    await client.control('PUT', `/stripe/payment_intents/${id}/refunds`, {
      ...{ pending: true, reason: 'insufficient_funds' },
    });
    const refund = await client.stripe.refunds.create({ payment_intent: id });
    await client.control('POST', `/stripe/refunds/${refund.id}/fail`);
    expect(await client.stripe.refunds.retrieve(refund.id)).toMatchObject({
      ...{ status: 'failed', failure_reason: 'insufficient_funds' },
    });
    expect(await movements(refund.id)).toEqual([]);
    expect(await chargeOf(id)).toMatchObject({ amount_refunded: 0, refunded: false });
    expect((await client.eventTypes(id)).slice(-2)).toEqual(['refund.failed', 'charge.updated']);
  });
});

test('refunds of a payment stay pending while it is wanted, and succeed afterwards', async () => {
  const id = await captured();
  await client.control('PUT', `/stripe/payment_intents/${id}/refunds`, { pending: true });
  const refund = await client.stripe.refunds.create({ payment_intent: id });
  expect(refund).toMatchObject({ status: 'pending' });
  await client.control('POST', '/clock/advance', { seconds: 30 * 86_400 });
  expect((await client.stripe.refunds.retrieve(refund.id)).status).toBe('pending');
  await client.control('PUT', `/stripe/payment_intents/${id}/refunds`, { pending: false });
  expect((await client.stripe.refunds.retrieve(refund.id)).status).toBe('succeeded');
  expect((await client.stripe.balanceTransactions.list({ source: refund.id })).data).toHaveLength(1);
});
