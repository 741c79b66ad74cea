/** Webhook delivery in every mode, with failures and retries. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SandboxClient } from '../testing/sandbox-client.ts';
import { WebhookReceiver } from '../testing/webhook-receiver.ts';
import { signatureHeader } from './webhook-dispatcher.ts';

// Long timeouts for a busy machine; they are not waited for.
vi.setConfig({ testTimeout: 20_000, hookTimeout: 30_000 });

let client: SandboxClient;
let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await new WebhookReceiver().open();
  client = await SandboxClient.start({ webhookUrl: receiver.url });
});
afterEach(async () => {
  await client.close();
  await receiver.close();
});

function mode(settings: object) {
  return client.control('PUT', '/stripe/delivery_mode', settings);
}

function ids(): string[] {
  return receiver.received.map(({ event }) => event.id);
}

test('every event is delivered once, signed, with Stripe’s headers and the stored bytes', async () => {
  await client.pay('pm_card_visa');
  await receiver.until(({ received }) => received.length === 3);
  await client.idle();
  expect(receiver.types.sort()).toEqual([
    'charge.succeeded',
    'payment_intent.amount_capturable_updated',
    'payment_intent.created',
  ]);
  expect(receiver.refused).toBe(0);
  expect(receiver.received[0]?.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
  });
  for (const { event } of receiver.received) {
    const { lastResponse: _, ...known } = await client.stripe.events.retrieve(event.id);
    expect(known).toEqual({ ...event, pending_webhooks: 0 });
    expect(event.request?.id).toMatch(/^req_/);
  }
});

test('the webhook signature equals the SDK’s signature', async () => {
  const header = signatureHeader('{"a":1}', 'whsec_x', 1_700_000_000);
  const theirs = await client.stripe.webhooks.generateTestHeaderString({
    payload: '{"a":1}',
    secret: 'whsec_x',
    timestamp: 1_700_000_000,
  });
  expect(header).toBe(theirs);
});

test('an endpoint that was down gets the event on a retry with a new signature', async () => {
  await mode({ retryDelaysMs: [30, 30, 30, 30, 30, 30, 30, 30] });
  receiver.status = 503;
  const { id } = await client.intent();
  await receiver.until(({ attempts }) => attempts >= 3);
  expect(receiver.received).toHaveLength(0);
  const { data: pending } = await client.stripe.events.list({ delivery_success: false });
  expect(pending).toMatchObject([{ type: 'payment_intent.created', pending_webhooks: 1 }]);
  receiver.status = 200;
  await receiver.until(({ received }) => received.length === 1);
  await client.idle();
  expect(receiver.received[0]?.event.data.object).toMatchObject({ id });
  expect((await client.stripe.events.list({ delivery_success: false })).data).toEqual([]);
  expect((await client.stripe.events.list({ delivery_success: true })).data).toHaveLength(1);
});

test('each delivery attempt is signed with its own timestamp', async () => {
  await mode({ retryDelaysMs: [1_050] });
  receiver.status = 503;
  await client.intent();
  await receiver.until(({ attempts }) => attempts === 2);
  const times = receiver.signatures.map((signature) => Number(/^t=(\d+),/.exec(signature)?.[1]));
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1);
});

test('a redirect counts as a failed attempt, and the last failed attempt fails the delivery', async () => {
  await mode({ retryDelaysMs: [10] });
  receiver.status = 307;
  await client.intent();
  await receiver.until(({ attempts }) => attempts === 2);
  await client.idle();
  const { data } = await client.control<{ data: object[] }>('GET', '/stripe/deliveries?state=failed');
  expect(data).toMatchObject([{ attempts: 2, lastStatus: 307, eventType: 'payment_intent.created' }]);
});

test('advancing the clock brings retries forward', async () => {
  receiver.status = 500;
  await client.intent();
  await receiver.until(({ attempts }) => attempts === 1);
  await client.idle();
  receiver.status = 200;
  await client.control('POST', '/clock/advance', { seconds: 5 });
  await receiver.until(({ received }) => received.length === 1);
});

test('webhook events in mode drop arrive only when redelivered by hand', async () => {
  await mode({ mode: 'drop' });
  await client.intent();
  await client.idle();
  expect(receiver.attempts).toBe(0);
  expect((await client.stripe.events.list({ delivery_success: false })).data).toHaveLength(1);
  const { data } = await client.control<{ data: { id: string }[] }>('GET', '/stripe/deliveries?state=dropped');
  await client.control('POST', `/stripe/deliveries/${data[0]?.id}/deliver`);
  await receiver.until(({ received }) => received.length === 1);
});

test('webhook events in mode hold arrive when flushed, in reverse or random order, without loss', async () => {
  await mode({ mode: 'hold' });
  for (let count = 0; count < 5; count += 1) await client.intent();
  const { data } = await client.control<{ data: { id: string; event: string }[] }>(
    'GET',
    '/stripe/deliveries?state=held',
  );
  expect(data).toHaveLength(5);
  // Their order on arrival follows the order of sending unless the machine is too busy to keep the pauses.
  expect(await client.control('POST', '/stripe/deliveries/flush', { order: 'reverse' })).toEqual({
    deliveries: data.map(({ id }) => id),
  });
  await receiver.until(({ received }) => received.length === 5);
  expect(ids().toSorted()).toEqual(data.map(({ event }) => event).toSorted());
  await client.intent();
  await client.control('POST', '/stripe/deliveries/flush', { order: 'random' });
  await receiver.until(({ received }) => received.length === 6);
});

test('the modes duplicate and simultaneous deliver the same webhook event several times', async () => {
  await mode({ duplicate: 1, simultaneous: 2 });
  await client.intent();
  await receiver.until(({ received }) => received.length === 4);
  await client.idle();
  expect(receiver.attempts).toBe(4);
  expect(new Set(ids()).size).toBe(1);
});

test('the mode shuffle delivers every webhook event once in another order', async () => {
  await mode({ shuffle: true });
  for (let count = 0; count < 20; count += 1) await client.intent();
  await receiver.until(({ received }) => received.length === 20);
  const { data } = await client.stripe.events.list({ limit: 100 });
  const inOrder = data.map(({ id }) => id).reverse();
  expect(ids()).not.toEqual(inOrder);
  expect(ids().sort()).toEqual(inOrder.sort());
});

test('the option delayMs delays the first attempt of a webhook delivery', async () => {
  await mode({ delayMs: 250 });
  const start = performance.now();
  await client.intent();
  await receiver.until(({ received }) => received.length === 1);
  expect((receiver.received[0]?.at ?? 0) - start).toBeGreaterThanOrEqual(245);
});

test('an event is delivered again in n simultaneous copies', async () => {
  await client.intent();
  await receiver.until(({ received }) => received.length === 1);
  const body = { copies: 3, simultaneous: true };
  await client.control('POST', `/stripe/events/${ids()[0]}/deliver`, body);
  await receiver.until(({ received }) => received.length === 4);
  expect(new Set(ids()).size).toBe(1);
});

test('each webhook endpoint has its own secret, events and mode, and can be disabled and deleted', async () => {
  const url = `${receiver.url}/second`;
  const { webhookEndpoints } = client.stripe;
  const endpoint = await webhookEndpoints.create({ url, enabled_events: ['payment_intent.canceled'] });
  expect(endpoint.secret).toMatch(/^whsec_/);
  expect((await webhookEndpoints.retrieve(endpoint.id)).secret).toBeUndefined();
  receiver.trust(endpoint.secret ?? '');
  await mode({ mode: 'drop' });
  await mode({ mode: 'deliver', endpoint: endpoint.id });
  const intent = await client.intent();
  await client.stripe.paymentIntents.cancel(intent.id);
  await receiver.until(({ received }) => received.length === 1);
  expect(receiver.types).toEqual(['payment_intent.canceled']);
  await webhookEndpoints.update(endpoint.id, { disabled: true });
  await client.stripe.paymentIntents.cancel((await client.intent()).id);
  await webhookEndpoints.del(endpoint.id);
  await expect(webhookEndpoints.retrieve(endpoint.id)).rejects.toMatchObject({ statusCode: 404 });
  await client.idle();
  expect(receiver.attempts).toBe(1);
});

test('an endpoint that never responds does not delay the others', async () => {
  const silent = await new WebhookReceiver().open();
  await silent.close();
  await client.stripe.webhookEndpoints.create({ url: silent.url, enabled_events: ['*'] });
  await client.intent();
  await receiver.until(({ received }) => received.length === 1);
  expect(receiver.received[0]?.event.pending_webhooks).toBe(2);
});
