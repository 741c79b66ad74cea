/** Invalid parameters are answered as by Stripe: 400, the `error` key, a code and the parameter's name. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { SandboxClient } from '../testing/sandbox-client.ts';

// Long timeouts for a busy machine; they are not waited for.
vi.setConfig({ testTimeout: 20_000, hookTimeout: 30_000 });

let client: SandboxClient;
let held: string;
beforeAll(async () => {
  client = await SandboxClient.start();
  held = (await client.pay('pm_card_visa')).id;
});
afterAll(() => client.close());

interface Refusal {
  error: { type: string; code?: string; param?: string; message: string };
}

async function send(method: string, path: string, body?: string): Promise<{ status: number; body: Refusal }> {
  const response = await fetch(`${client.sandbox.url}${path}`, {
    method,
    headers: { authorization: 'Bearer sk_test_sandbox' },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, body: (await response.json()) as Refusal };
}

const BASE = 'amount=1000&currency=eur';

test.each([
  ['', 'parameter_missing', 'amount'],
  ['currency=eur', 'parameter_missing', 'amount'],
  ['amount=1000', 'parameter_missing', 'currency'],
  ['amount=ten&currency=eur', 'parameter_invalid_integer', 'amount'],
  ['amount=10.5&currency=eur', 'parameter_invalid_integer', 'amount'],
  ['amount=1e3&currency=eur', 'parameter_invalid_integer', 'amount'],
  ['amount=&currency=eur', 'parameter_invalid_integer', 'amount'],
  ['amount=-1000&currency=eur', 'parameter_invalid_integer', 'amount'],
  ['amount=0&currency=eur', 'parameter_invalid_integer', 'amount'],
  // Card payments take only a suffix, of some characters only.
  [`${BASE}&statement_descriptor=CHASQUI`, undefined, 'statement_descriptor'],
  [`${BASE}&statement_descriptor_suffix=A%3CB`, 'invalid_characters', 'statement_descriptor_suffix'],
  [`${BASE}&statement_descriptor_suffix=12345`, undefined, 'statement_descriptor_suffix'],
  ['amount=49&currency=eur', 'amount_too_small', 'amount'],
  ['amount=100000000&currency=eur', 'amount_too_large', 'amount'],
  ['amount=99999999999999999999&currency=eur', 'parameter_invalid_integer', 'amount'],
  ['amount[x]=1&currency=eur', undefined, 'amount'],
  ['amount=1000&currency=zzz', undefined, 'currency'],
  [`${BASE}&colour=red`, 'parameter_unknown', 'colour'],
  [`${BASE}&payment_method_data[card][colour]=red`, 'parameter_unknown', 'payment_method_data[card][colour]'],
  [`${BASE}&payment_method_types[]=card`, 'payment_method_types_no_longer_supported', 'payment_method_types'],
  [
    `${BASE}&allowed_payment_method_types[0]=card&automatic_payment_methods[enabled]=true`,
    'parameters_exclusive',
    'allowed_payment_method_types',
  ],
  [`${BASE}&allowed_payment_method_types[]=ideal`, undefined, 'allowed_payment_method_types'],
  [`${BASE}&capture_method=later`, undefined, 'capture_method'],
  [`${BASE}&confirm=yes`, undefined, 'confirm'],
  [`${BASE}&metadata=text`, undefined, 'metadata'],
  [`${BASE}&metadata[${'k'.repeat(41)}]=v`, undefined, 'metadata'],
  [`${BASE}&metadata[k]=${'v'.repeat(501)}`, undefined, 'metadata'],
  [`${BASE}&customer=cus_nobody`, 'resource_missing', 'customer'],
  [`${BASE}&transfer_data[destination]=acct_1`, undefined, 'transfer_data'],
  [`${BASE}&description=${'d'.repeat(1001)}`, undefined, 'description'],
  [`${BASE}&expand[]=nonsense`, undefined, 'expand'],
  [`${BASE}&a[b=1`, undefined, undefined],
  [`${BASE}&__proto__[polluted]=1`, 'parameter_unknown', undefined],
  [`${BASE}&a[b][c][d][e][f][g][h][i]=1`, undefined, undefined],
])('POST /v1/payment_intents refuses the parameters "%s"', async (body, code, param) => {
  const answer = await send('POST', '/v1/payment_intents', body);
  expect(answer.status).toBe(400);
  expect(answer.body.error.type).toBe('invalid_request_error');
  expect(answer.body.error.code).toBe(code);
  if (param) expect(answer.body.error.param).toBe(param);
  expect(answer.body.error.message).not.toBe('');
});

test('refused Stripe requests store nothing', async () => {
  const { data } = await client.stripe.paymentIntents.list({ limit: 100 });
  expect(data.map(({ id }) => id)).toEqual([held]);
  expect('polluted' in {}).toBe(false);
});

test.each([
  ['GET', '/v1/payment_intents/pi_nothing', 404, 'resource_missing'],
  ['POST', '/v1/payment_intents/pi_nothing/capture', 404, 'resource_missing'],
  ['GET', '/v1/charges/ch_nothing', 404, 'resource_missing'],
  ['GET', '/v1/events/evt_nothing', 404, 'resource_missing'],
  ['GET', '/v1/payment_methods/pm_nothing', 404, 'resource_missing'],
  ['POST', '/v1/refunds', 400, 'parameter_missing'],
  ['GET', '/v1/payment_intents?limit=many', 400, 'parameter_invalid_integer'],
  ['GET', '/v1/payment_intents?colour=red', 400, 'parameter_unknown'],
  ['POST', '/v1/webhook_endpoints', 400, 'parameter_missing'],
  ['GET', '/v1/nothing_here', 404, undefined],
  ['DELETE', '/v1/payment_intents/pi_1', 404, undefined],
  ['GET', '/v1', 404, undefined],
  ['GET', '/v1/payment_intents/%E0', 400, undefined],
])('an invalid request %s %s is answered with %i and code %s', async (method, path, status, code) => {
  const answer = await send(method, path, method === 'POST' ? '' : undefined);
  expect(answer.status).toBe(status);
  expect(answer.body.error).toMatchObject({ type: 'invalid_request_error' });
  expect(answer.body.error.code).toBe(code);
});

test('array parameters may be indexed or bare, and an empty value unsets a parameter', async () => {
  const made = await send(
    'POST',
    '/v1/payment_intents',
    `${BASE}&allowed_payment_method_types[]=card&metadata[a]=1&metadata[b]=2&description=x`,
  );
  const { id } = made.body as unknown as { id: string };
  const change = { metadata: { a: null, c: '3' }, description: null as never };
  const intent = await client.stripe.paymentIntents.update(id, change);
  expect(intent).toMatchObject({ metadata: { b: '2', c: '3' }, description: null, payment_method_types: ['card'] });
  expect((await client.stripe.paymentIntents.update(id, { metadata: '' })).metadata).toEqual({});
  expect((await client.stripe.paymentIntents.update(id, { metadata: { 0: 'zero', 1: 'one' } })).metadata).toEqual({
    0: 'zero',
    1: 'one',
  });
});

test('an authorized payment intent refuses a new amount and accepts new metadata', async () => {
  await expect(client.stripe.paymentIntents.update(held, { amount: 1 })).rejects.toMatchObject({
    code: 'payment_intent_unexpected_state',
  });
  expect((await client.stripe.paymentIntents.update(held, { metadata: { a: 'b' } })).metadata).toEqual({ a: 'b' });
});

test('a request body over the limit is refused in Stripe’s error shape', async () => {
  const answer = await send('POST', '/v1/payment_intents', `description=${'x'.repeat(2_000_000)}`);
  expect(answer.status).toBe(413);
  expect(answer.body.error.type).toBe('invalid_request_error');
});
