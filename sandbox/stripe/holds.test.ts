import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
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

async function latestCharge(id: string): Promise<Stripe.Charge> {
  const { latest_charge } = await client.stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
  return latest_charge as Stripe.Charge;
}

test('an authorized payment is captured once', async () => {
  const held = await client.pay('pm_card_visa', { metadata: { transfer_id: 't1' } });
  expect(held).toMatchObject({ status: 'requires_capture', amount_capturable: 10_000, amount_received: 0 });
  const charge = await latestCharge(held.id);
  expect(charge).toMatchObject({ captured: false, amount_captured: 0, paid: true, status: 'succeeded' });
  const captureBefore = charge.payment_method_details?.card?.capture_before ?? 0;
  expect(captureBefore - charge.created).toBe(7 * 86_400);

  const captured = await client.stripe.paymentIntents.capture(held.id);
  expect(captured).toMatchObject({ status: 'succeeded', amount_capturable: 0, amount_received: 10_000 });
  expect(await latestCharge(held.id)).toMatchObject({ captured: true, amount_captured: 10_000, refunded: false });
  await expect(client.stripe.paymentIntents.capture(held.id)).rejects.toMatchObject({
    statusCode: 400,
    code: 'payment_intent_unexpected_state',
  });
  expect(await client.eventTypes(held.id)).toEqual([
    'payment_intent.created',
    'charge.succeeded',
    'payment_intent.amount_capturable_updated',
    'charge.captured',
    'payment_intent.succeeded',
  ]);
});

test('a canceled authorization is voided and nothing is charged', async () => {
  const held = await client.pay('pm_card_visa');
  const released = await client.stripe.paymentIntents.cancel(held.id, { cancellation_reason: 'requested_by_customer' });
  expect(released).toMatchObject({
    status: 'canceled',
    amount_capturable: 0,
    amount_received: 0,
    cancellation_reason: 'requested_by_customer',
  });
  expect(await latestCharge(held.id)).toMatchObject({
    ...{ captured: false, amount_captured: 0, amount_refunded: 0, refunded: false },
  });
  await expect(client.stripe.paymentIntents.capture(held.id)).rejects.toMatchObject({ statusCode: 400 });
  expect((await client.eventTypes(held.id)).slice(-2)).toEqual([
    'payment_intent.amount_capturable_updated',
    'payment_intent.canceled',
  ]);
});

test('of a concurrent capture and cancel exactly one succeeds', async () => {
  for (let round = 0; round < 5; round += 1) {
    const held = await client.pay('pm_card_visa');
    const results = await Promise.allSettled([
      client.stripe.paymentIntents.capture(held.id),
      client.stripe.paymentIntents.cancel(held.id),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  }
});

test('an authorization expires after seven days', async () => {
  const held = await client.pay('pm_card_visa');
  await client.control('POST', '/clock/advance', { seconds: 7 * 86_400 - 60 });
  await client.idle();
  expect((await client.stripe.paymentIntents.retrieve(held.id)).status).toBe('requires_capture');
  await client.control('POST', '/clock/advance', { seconds: 61 });
  await receiver.until(({ received }) =>
    received.some(({ event }) => event.type === 'payment_intent.canceled' && event.data.object.id === held.id),
  );
  expect(await client.stripe.paymentIntents.retrieve(held.id)).toMatchObject({
    status: 'canceled',
    amount_capturable: 0,
    cancellation_reason: 'expired',
  });
  expect(await latestCharge(held.id)).toMatchObject({ captured: false, amount_refunded: 0, refunded: false });
  expect((await client.eventTypes(held.id)).slice(-2)).toEqual(['charge.expired', 'payment_intent.canceled']);
});

test('the control routes can expire one authorization', async () => {
  const [one, other] = await Promise.all([client.pay('pm_card_visa'), client.pay('pm_card_visa')]);
  await client.control('POST', `/stripe/payment_intents/${one.id}/expire_hold`);
  expect((await client.stripe.paymentIntents.retrieve(one.id)).status).toBe('canceled');
  expect((await client.stripe.paymentIntents.retrieve(other.id)).status).toBe('requires_capture');
});

test('a captured charge does not expire after seven days', async () => {
  const held = await client.pay('pm_card_visa');
  await client.stripe.paymentIntents.capture(held.id);
  await client.control('POST', '/clock/advance', { seconds: 8 * 86_400 });
  await client.idle();
  expect((await client.stripe.paymentIntents.retrieve(held.id)).status).toBe('succeeded');
});

test('a partial capture releases the rest, and only the captured part can be refunded', async () => {
  const held = await client.pay('pm_card_visa');
  await expect(client.stripe.paymentIntents.capture(held.id, { amount_to_capture: 10_001 })).rejects.toMatchObject({
    code: 'amount_too_large',
  });
  const captured = await client.stripe.paymentIntents.capture(held.id, { amount_to_capture: 4_000 });
  expect(captured.amount_received).toBe(4_000);
  expect(await latestCharge(held.id)).toMatchObject({ amount_captured: 4_000, amount_refunded: 0, refunded: false });
  await expect(client.stripe.refunds.create({ payment_intent: held.id, amount: 4_001 })).rejects.toMatchObject({
    statusCode: 400,
  });
  expect((await client.stripe.refunds.create({ payment_intent: held.id })).amount).toBe(4_000);
  expect(await latestCharge(held.id)).toMatchObject({ amount_refunded: 4_000, refunded: true });
});

test('an event about a change carries previous_attributes', async () => {
  const held = await client.pay('pm_card_visa');
  await client.stripe.paymentIntents.capture(held.id);
  const { data } = await client.stripe.events.list({ type: 'charge.captured', limit: 1 });
  expect(data[0]?.data).toMatchObject({
    object: { captured: true, amount_captured: 10_000 },
    previous_attributes: { captured: false, amount_captured: 0, balance_transaction: null },
  });
});

test('webhooks carry the object as it was when the event was created', async () => {
  const held = await client.pay('pm_card_visa');
  await client.stripe.paymentIntents.capture(held.id);
  const about = () => receiver.received.filter(({ event }) => (event.data.object as { id: string }).id === held.id);
  await receiver.until(() => about().some(({ event }) => event.type === 'payment_intent.succeeded'));
  await client.idle();
  const statuses = Object.fromEntries(
    about().map(({ event }) => [event.type, (event.data.object as Stripe.PaymentIntent).status]),
  );
  expect(statuses).toEqual({
    'payment_intent.created': 'requires_payment_method',
    'payment_intent.amount_capturable_updated': 'requires_capture',
    'payment_intent.succeeded': 'succeeded',
  });
  expect(receiver.refused).toBe(0);
});
