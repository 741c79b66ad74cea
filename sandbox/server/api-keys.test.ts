import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { SandboxClient } from '../testing/sandbox-client.ts';
import { stripeFor } from '../testing/start-stripe.ts';

// Long timeouts for a busy machine; they are not waited for.
vi.setConfig({ testTimeout: 20_000, hookTimeout: 30_000 });

let client: SandboxClient;
beforeAll(async () => {
  client = await SandboxClient.start({ webOrigins: ['http://localhost:3000'] });
});
afterAll(() => client.close());

function get(path: string, headers: Record<string, string> = {}) {
  return fetch(`${client.sandbox.url}${path}`, { headers });
}

const PUBLISHABLE = { authorization: 'Bearer pk_test_sandbox' };

test('a missing, unknown or live API key is answered with 401', async () => {
  expect((await get('/v1/balance')).status).toBe(401);
  for (const key of ['sk_test_other', 'sk_live_sandbox', 'pk_test_other', '']) {
    const answer = await get('/v1/balance', { authorization: `Bearer ${key}` });
    expect(answer.status).toBe(401);
    const { error } = (await answer.json()) as { error: { message: string } };
    expect(error.message).not.toContain(key || 'Bearer sk');
  }
  await expect(stripeFor(client.sandbox.url, 'sk_test_other').balance.retrieve()).rejects.toMatchObject({
    type: 'StripeAuthenticationError',
  });
});

test('an API key is read from Bearer and from Basic authentication', async () => {
  const basic = `Basic ${Buffer.from('sk_test_sandbox:').toString('base64')}`;
  expect((await get('/v1/balance', { authorization: basic })).status).toBe(200);
  expect((await get('/v1/balance', { authorization: 'bearer sk_test_sandbox' })).status).toBe(200);
});

test('a publishable key reads the public fields of a payment intent with its client secret only', async () => {
  const intent = await client.intent({ metadata: { transfer_id: 't1' } });
  const path = `/v1/payment_intents/${intent.id}`;
  expect((await get(path, PUBLISHABLE)).status).toBe(401);
  expect((await get(`${path}?client_secret=wrong`, PUBLISHABLE)).status).toBe(400);
  const answer = await get(`${path}?client_secret=${intent.client_secret}`, PUBLISHABLE);
  expect(answer.status).toBe(200);
  const seen = (await answer.json()) as Record<string, unknown>;
  expect(seen).toMatchObject({ id: intent.id, status: 'requires_payment_method', client_secret: intent.client_secret });
  for (const hidden of ['metadata', 'latest_charge', 'customer', 'amount_received', 'payment_method_options']) {
    expect(seen).not.toHaveProperty(hidden);
  }
});

test('a card error for a publishable key contains neither charge nor metadata', async () => {
  const intent = await client.intent({ metadata: { transfer_id: 't1' } });
  const { body } = await client.confirmInBrowser(intent, '4000000000000002');
  expect(body.error).toMatchObject({ code: 'card_declined', payment_intent: { id: intent.id } });
  expect(JSON.stringify(body)).not.toMatch(/ch_3|transfer_id/);
});

test.each([
  ['POST', '/v1/payment_intents'],
  ['GET', '/v1/payment_intents'],
  ['GET', '/v1/charges'],
  ['POST', '/v1/refunds'],
  ['GET', '/v1/events'],
  ['GET', '/v1/balance'],
])('a publishable key may not call %s %s', async (method, path) => {
  const answer = await fetch(`${client.sandbox.url}${path}`, { method, headers: PUBLISHABLE });
  expect(answer.status).toBe(401);
  expect(await answer.json()).toMatchObject({ error: { code: 'secret_key_required' } });
});

test.each(['capture', 'cancel', ''])('a publishable key may not change a payment intent ("%s")', async (action) => {
  const held = await client.pay('pm_card_visa');
  const body = new URLSearchParams({ client_secret: held.client_secret ?? '' });
  const path = `/v1/payment_intents/${held.id}${action && `/${action}`}`;
  const answer = await fetch(`${client.sandbox.url}${path}`, { method: 'POST', headers: PUBLISHABLE, body });
  expect(answer.status).toBe(401);
  expect((await client.stripe.paymentIntents.retrieve(held.id)).status).toBe('requires_capture');
});

describe('a restricted key', () => {
  const rights = { payment_intent: 'write', charge: 'read' };
  const stripe = () => stripeFor(client.sandbox.url, 'rk_test_reader');
  beforeAll(() => client.control('PUT', '/stripe/account', { restrictedKeys: { rk_test_reader: rights } }));

  test('is limited to its permissions; write includes read', async () => {
    const params = { amount: 1_000, currency: 'eur', allowed_payment_method_types: ['card' as const] };
    const { id } = await stripe().paymentIntents.create(params);
    expect((await stripe().paymentIntents.retrieve(id)).id).toBe(id);
    expect((await stripe().charges.list()).object).toBe('list');
    expect((await stripe().refunds.list()).object).toBe('list');
  });

  test('is refused anything else with 403 and the name of the permission', async () => {
    const refusal = (permission: string) => ({
      ...{ type: 'StripePermissionError', statusCode: 403, rawType: 'invalid_request_error' },
      message: expect.stringContaining(`Having the '${permission}' permission`),
    });
    await expect(stripe().disputes.list()).rejects.toMatchObject(refusal('rak_dispute_read'));
    await expect(stripe().files.list()).rejects.toMatchObject(refusal('rak_file_read'));
    await expect(stripe().payouts.list()).rejects.toMatchObject(refusal('rak_payout_read'));
    await expect(stripe().refunds.create({ payment_intent: 'pi_1' })).rejects.toMatchObject(
      refusal('rak_charge_write'),
    );
    const sessions = stripe().rawRequest('GET', '/v1/crypto/onramp_sessions');
    await expect(sessions).rejects.toMatchObject(refusal('rak_crypto_onramp_read'));
  });

  test('may not expand an object that it may not read', async () => {
    const { id } = await client.pay('pm_card_visa');
    const retrieve = (expand: string[]) => stripe().paymentIntents.retrieve(id, { expand });
    expect(await retrieve(['latest_charge'])).toMatchObject({ latest_charge: { object: 'charge' } });
    await expect(retrieve(['payment_method'])).rejects.toMatchObject({ statusCode: 403 });
  });

  test('that the account does not have is answered with 401, and its end is shown', async () => {
    await expect(stripeFor(client.sandbox.url, 'rk_test_unknown_key_1234').balance.retrieve()).rejects.toMatchObject({
      ...{ statusCode: 401, message: 'Invalid API Key provided: rk_test_****1234' },
    });
  });
});

test('CORS allows the merchant’s origin and no other', async () => {
  const preflight = (origin: string) =>
    fetch(`${client.sandbox.url}/v1/payment_intents/pi_1/confirm`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
    });
  const own = await preflight('http://localhost:3000');
  expect(own.status).toBe(204);
  expect(own.headers.get('access-control-allow-origin')).toBe('http://localhost:3000');
  expect(own.headers.get('access-control-allow-headers')).toContain('Authorization');
  expect((await preflight('https://evil.test')).headers.get('access-control-allow-origin')).toBeNull();
  const failed = await get('/v1/balance', { origin: 'http://localhost:3000' });
  expect(failed.headers.get('access-control-allow-origin')).toBe('http://localhost:3000');
});
