import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { SandboxClient } from '../testing/sandbox-client.ts';

// Long timeouts for a busy machine; they are not waited for.
vi.setConfig({ testTimeout: 20_000, hookTimeout: 30_000 });

let client: SandboxClient;
beforeAll(async () => {
  client = await SandboxClient.start();
});
afterAll(() => client.close());

const REQUIRED = 'pm_card_authenticationRequired';

function answer(id: string, outcome: string) {
  return client.control<{ status: string; redirectUrl: string | null }>(
    'POST',
    `/stripe/payment_intents/${id}/challenge`,
    { outcome },
  );
}

test.each(['fail', 'cancel'])(
  'a 3-D Secure challenge answered with "%s" charges nothing and may be tried again',
  async (outcome) => {
    const waiting = await client.pay(REQUIRED);
    expect((await answer(waiting.id, outcome)).status).toBe('requires_payment_method');
    const after = await client.stripe.paymentIntents.retrieve(waiting.id);
    expect(after).toMatchObject({ latest_charge: null, next_action: null, payment_method: null });
    expect(after.last_payment_error).toMatchObject({
      code: 'payment_intent_authentication_failure',
      type: 'invalid_request_error',
    });
    expect(await client.eventTypes(waiting.id)).toEqual([
      'payment_intent.created',
      'payment_intent.requires_action',
      'payment_intent.payment_failed',
    ]);
    const held = await client.stripe.paymentIntents.confirm(waiting.id, { payment_method: 'pm_card_visa' });
    expect(held.status).toBe('requires_capture');
  },
);

test('a 3-D Secure challenge can be answered once only', async () => {
  const waiting = await client.pay(REQUIRED);
  const answers = await Promise.allSettled([answer(waiting.id, 'complete'), answer(waiting.id, 'complete')]);
  expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect((await client.stripe.charges.list({ payment_intent: waiting.id })).data).toHaveLength(1);
});

test('a payment intent may be confirmed with another card during its challenge', async () => {
  const waiting = await client.pay(REQUIRED);
  const { body } = await client.confirmInBrowser(waiting, '4242424242424242');
  expect(body.status).toBe('requires_capture');
  await expect(answer(waiting.id, 'complete')).rejects.toThrow('requires_capture');
});

test('with redirect_to_url the challenge page sends the cardholder back with the result', async () => {
  const waiting = await client.pay(REQUIRED, { return_url: 'https://merchant.test/back?order=7' });
  const url = waiting.next_action?.redirect_to_url?.url ?? '';
  expect(waiting.next_action?.redirect_to_url?.return_url).toBe('https://merchant.test/back?order=7');
  const page = await fetch(url);
  expect(page.headers.get('content-type')).toContain('text/html');
  const html = await page.text();
  const action = /action="([^"]+)"/.exec(html)?.[1] ?? '';
  const secret = /name="client_secret" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const back = await fetch(new URL(action, url), {
    method: 'POST',
    headers: { accept: 'text/html', origin: new URL(url).origin },
    body: new URLSearchParams({ client_secret: secret, outcome: 'complete' }),
    redirect: 'manual',
  });
  expect(back.status).toBe(303);
  const location = new URL(back.headers.get('location') ?? '');
  expect(location.origin + location.pathname).toBe('https://merchant.test/back');
  expect(Object.fromEntries(location.searchParams)).toEqual({
    order: '7',
    payment_intent: waiting.id,
    payment_intent_client_secret: waiting.client_secret,
    redirect_status: 'succeeded',
  });
  expect((await client.stripe.paymentIntents.retrieve(waiting.id)).status).toBe('requires_capture');
});

test('the challenge page requires the client secret', async () => {
  const waiting = await client.pay(REQUIRED, { return_url: 'https://merchant.test/' });
  const wrong = `${client.sandbox.url}/challenge?payment_intent=${waiting.id}&client_secret=wrong`;
  expect((await fetch(wrong)).status).toBe(404);
});

test('a browser of another origin may answer a challenge with the client secret only', async () => {
  const waiting = await client.pay(REQUIRED);
  const post = (client_secret: string) =>
    fetch(`${client.sandbox.url}/sandbox/stripe/payment_intents/${waiting.id}/challenge`, {
      method: 'POST',
      headers: { origin: 'http://localhost:3000', authorization: 'Bearer pk_test_sandbox' },
      body: new URLSearchParams({ client_secret, outcome: 'complete' }),
    });
  const refused = await post('wrong');
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
  const taken = await post(waiting.client_secret ?? '');
  expect(taken.status).toBe(200);
  expect(taken.headers.get('access-control-allow-origin')).toBe('http://localhost:3000');
});

test('error_on_requires_action declines instead of challenging', async () => {
  await expect(client.pay(REQUIRED, { error_on_requires_action: true })).rejects.toMatchObject({
    statusCode: 402,
    code: 'authentication_required',
  });
});

test('a captured, authorized or canceled payment intent cannot be confirmed again', async () => {
  const held = await client.pay('pm_card_visa');
  const again = () => client.stripe.paymentIntents.confirm(held.id, { payment_method: 'pm_card_visa' });
  const refusal = { statusCode: 400, code: 'payment_intent_unexpected_state' };
  await expect(again()).rejects.toMatchObject(refusal);
  await client.stripe.paymentIntents.capture(held.id);
  await expect(again()).rejects.toMatchObject(refusal);
  await expect(client.stripe.paymentIntents.cancel(held.id)).rejects.toMatchObject(refusal);
  expect((await client.stripe.charges.list({ payment_intent: held.id })).data).toHaveLength(1);
});

test('with automatic_async the balance transaction is created after the charge succeeded', async () => {
  const params = { capture_method: undefined as never, expand: ['latest_charge'] };
  const paid = await client.pay('pm_card_visa', params);
  expect(paid).toMatchObject({ status: 'succeeded', capture_method: 'automatic_async', amount_received: 10_000 });
  expect(paid.latest_charge).toMatchObject({ captured: true, balance_transaction: null });
  await client.idle();
  const later = await client.stripe.paymentIntents.retrieve(paid.id, { expand: ['latest_charge.balance_transaction'] });
  expect(later.latest_charge).toMatchObject({ balance_transaction: { amount: 10_000, type: 'charge' } });
  expect(await client.eventTypes(paid.id)).toEqual([
    'payment_intent.created',
    'charge.succeeded',
    'payment_intent.succeeded',
    'charge.updated',
  ]);
});

test('automatic payment methods with redirects require a return_url from the server', async () => {
  const intent = await client.stripe.paymentIntents.create({ amount: 1000, currency: 'usd' });
  expect(intent.automatic_payment_methods).toEqual({ allow_redirects: 'always', enabled: true });
  const confirm = (more: object) =>
    client.stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa', ...more });
  await expect(confirm({})).rejects.toThrow('return_url');
  expect((await confirm({ return_url: 'https://merchant.test/' })).status).toBe('succeeded');
});

test('raw card numbers with the secret key are refused', async () => {
  const intent = await client.intent();
  const body = new URLSearchParams({
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': '4242424242424242',
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': '2030',
  });
  const response = await fetch(`${client.sandbox.url}/v1/payment_intents/${intent.id}/confirm`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk_test_sandbox' },
    body,
  });
  expect(response.status).toBe(402);
  expect(await response.text()).toContain('pm_card_visa');
});
