/** Idempotency keys, also under injected faults. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { SandboxClient } from '../testing/sandbox-client.ts';
import { stripeFor } from '../testing/start-stripe.ts';

// Long timeouts for a busy machine; they are not waited for.
vi.setConfig({ testTimeout: 20_000, hookTimeout: 30_000 });

let client: SandboxClient;
beforeAll(async () => {
  client = await SandboxClient.start();
});
afterAll(() => client.close());
beforeEach(() => client.control('POST', '/reset'));

const PARAMS = { amount: 1_000, currency: 'eur', allowed_payment_method_types: ['card' as const] };

async function intents(): Promise<number> {
  return (await client.stripe.paymentIntents.list({ limit: 100 })).data.length;
}

function fault(order: object) {
  return client.control('POST', '/faults', { path: '^/v1/', ...order });
}

test('a repeated idempotency key gets the first response and executes nothing', async () => {
  const first = await client.stripe.paymentIntents.create(PARAMS, { idempotencyKey: 'k1' });
  const again = await client.stripe.paymentIntents.create(PARAMS, { idempotencyKey: 'k1' });
  expect(again.id).toBe(first.id);
  expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
  expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined();
  expect(await intents()).toBe(1);
});

test('a replayed response shows the object as it was at the first request', async () => {
  const key = { idempotencyKey: 'k1' };
  const first = await client.stripe.paymentIntents.create(PARAMS, key);
  await client.stripe.paymentIntents.cancel(first.id);
  expect((await client.stripe.paymentIntents.create(PARAMS, key)).status).toBe('requires_payment_method');
});

test('an idempotency key is refused with other parameters or another path', async () => {
  const { id } = await client.stripe.paymentIntents.create(PARAMS, { idempotencyKey: 'k1' });
  const refusal = { type: 'StripeIdempotencyError', statusCode: 400 };
  await expect(
    client.stripe.paymentIntents.create({ ...PARAMS, amount: 1_001 }, { idempotencyKey: 'k1' }),
  ).rejects.toMatchObject(refusal);
  await expect(client.stripe.paymentIntents.cancel(id, {}, { idempotencyKey: 'k1' })).rejects.toMatchObject(refusal);
  expect(await intents()).toBe(1);
});

test('an idempotency key matches whatever the order of the parameters', async () => {
  const post = async (body: string) => {
    const response = await fetch(`${client.sandbox.url}/v1/payment_intents`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_sandbox', 'idempotency-key': 'k1' },
      body,
    });
    return ((await response.json()) as { id: string }).id;
  };
  expect(await post('amount=1000&currency=eur')).toBe(await post('currency=eur&amount=1000'));
});

test('a declined confirmation is replayed for its idempotency key', async () => {
  const { id } = await client.stripe.paymentIntents.create(PARAMS);
  const decline = () =>
    client.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_chargeDeclined' }, { idempotencyKey: 'k2' });
  await expect(decline()).rejects.toMatchObject({ statusCode: 402 });
  await expect(decline()).rejects.toMatchObject({ statusCode: 402 });
  expect((await client.stripe.charges.list({ payment_intent: id })).data).toHaveLength(1);
});

test('an idempotency key may be used again after a parameter error', async () => {
  const key = { idempotencyKey: 'k1' };
  await expect(client.stripe.paymentIntents.create({ ...PARAMS, amount: 1 }, key)).rejects.toMatchObject({
    code: 'amount_too_small',
  });
  expect((await client.stripe.paymentIntents.create(PARAMS, key)).amount).toBe(1_000);
});

test('of two concurrent requests with one idempotency key one gets 409 idempotency_key_in_use', async () => {
  await fault({ kind: 'slow', delayMs: 300 });
  const create = () => client.stripe.paymentIntents.create(PARAMS, { idempotencyKey: 'k1' });
  const results = await Promise.allSettled([create(), create()]);
  const refused = results.find((result) => result.status === 'rejected');
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(refused?.reason).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
  expect(await intents()).toBe(1);
});

test('many concurrent copies of one request create one object', async () => {
  const retrying = stripeFor(client.sandbox.url, 'sk_test_sandbox', { maxNetworkRetries: 3 });
  const copies = Array.from({ length: 12 }, () => retrying.paymentIntents.create(PARAMS, { idempotencyKey: 'k1' }));
  const ids = (await Promise.all(copies)).map(({ id }) => id);
  expect(new Set(ids).size).toBe(1);
  expect(await intents()).toBe(1);
});

test.each(['error', 'drop', 'do_then_error', 'do_then_drop'])(
  'the SDK’s own retry after the fault "%s" creates one object',
  async (kind) => {
    await fault({ kind });
    const retrying = stripeFor(client.sandbox.url, 'sk_test_sandbox', { maxNetworkRetries: 2 });
    const intent = await retrying.paymentIntents.create(PARAMS);
    expect(await intents()).toBe(1);
    expect((await client.stripe.paymentIntents.retrieve(intent.id)).id).toBe(intent.id);
  },
);

test('after a lost response the same idempotency key returns the original result', async () => {
  await fault({ kind: 'do_then_timeout', path: '/capture$' });
  const held = await client.pay('pm_card_visa');
  const impatient = stripeFor(client.sandbox.url, 'sk_test_sandbox', { timeout: 200 });
  const key = { idempotencyKey: `capture:${held.id}` };
  await expect(impatient.paymentIntents.capture(held.id, {}, key)).rejects.toMatchObject({
    type: 'StripeConnectionError',
  });
  const captured = await client.stripe.paymentIntents.capture(held.id, {}, key);
  expect(captured).toMatchObject({ status: 'succeeded', amount_received: 10_000 });
});

test('a fault after execution also hides the replayed response of the same key', async () => {
  await fault({ kind: 'do_then_error', status: 503, times: 2 });
  const create = () => client.stripe.paymentIntents.create(PARAMS, { idempotencyKey: 'k1' });
  await expect(create()).rejects.toMatchObject({ statusCode: 503 });
  await expect(create()).rejects.toMatchObject({ statusCode: 503 });
  await expect(create()).resolves.toMatchObject({ status: 'requires_payment_method' });
  expect(await intents()).toBe(1);
});

test('a stored_error fault is replayed for its idempotency key and stores no object', async () => {
  await fault({ kind: 'stored_error' });
  const create = () => client.stripe.paymentIntents.create(PARAMS, { idempotencyKey: 'k1' });
  await expect(create()).rejects.toMatchObject({ statusCode: 500 });
  await expect(create()).rejects.toMatchObject({ statusCode: 500 });
  expect(await intents()).toBe(0);
});

test('an injected 429 is a StripeRateLimitError in the SDK', async () => {
  await fault({ kind: 'error', status: 429 });
  await expect(client.stripe.paymentIntents.create(PARAMS)).rejects.toMatchObject({
    type: 'StripeRateLimitError',
    statusCode: 429,
  });
});

test('a fault applies to the requests its path and method match, as often as its times says', async () => {
  await fault({ kind: 'error', method: 'POST', path: '^/v1/refunds$', times: 2 });
  await expect(client.stripe.paymentIntents.create(PARAMS)).resolves.toMatchObject({
    status: 'requires_payment_method',
  });
  for (const statusCode of [500, 500, 400]) {
    await expect(client.stripe.refunds.create({})).rejects.toMatchObject({ statusCode });
  }
});

test('an idempotency key expires after 24 hours', async () => {
  const key = { idempotencyKey: 'k1' };
  const first = await client.stripe.paymentIntents.create(PARAMS, key);
  await client.control('POST', '/clock/advance', { seconds: 25 * 3600 });
  expect((await client.stripe.paymentIntents.create(PARAMS, key)).id).not.toBe(first.id);
});
