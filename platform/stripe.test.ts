import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { createStripe } from './stripe.ts';
import { checkStripeRights } from './stripe-rights.ts';

const keys = { secretKey: 'sk_test_sandbox', publishableKey: 'pk_test_sandbox', webhookSecret: 'whsec_sandbox' };
const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Simulates Stripe: `fail` decides which request, by number, gets no answer. */
async function listen(fail: (request: number) => boolean = () => false) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    if (fail(requests.length)) return void request.socket.destroy();
    response
      .setHeader('Content-Type', 'application/json')
      .end(JSON.stringify({ id: 'pi_1', object: 'payment_intent' }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const env = { ...keys, apiUrl: `http://127.0.0.1:${port}`, scriptUrl: undefined };
  return { stripe: createStripe(env), requests };
}

test('another server with Stripe’s API is called with the secret key', async () => {
  const { stripe, requests } = await listen();
  expect(await stripe.paymentIntents.retrieve('pi_1')).toMatchObject({ id: 'pi_1' });
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /v1/payment_intents/pi_1']);
  expect(requests[0]?.headers.authorization).toBe('Bearer sk_test_sandbox');
});

test('a call that got no answer is repeated with the same idempotency key', async () => {
  const { stripe, requests } = await listen((request) => request === 1);
  await stripe.paymentIntents.create({ amount: 10_000, currency: 'eur' });
  const keysSent = requests.map(({ headers }) => headers['idempotency-key']);
  expect(keysSent).toHaveLength(2);
  expect(keysSent[0]).toBeTruthy();
  expect(keysSent[1]).toBe(keysSent[0]);
});

/** Simulates Stripe for restricted keys: lists what `allowed` names, refuses what it does not, and says nothing of `silent`. */
async function listenWithRights(allowed: readonly string[], silent: readonly string[] = []) {
  const server = createServer(({ url }, response) => {
    const path = new URL(url ?? '', 'http://x').pathname.replace('/v1/', '');
    if (silent.includes(path)) return void response.destroy();
    const message = "The provided key does not have the required permissions for this endpoint on account 'acct_1'.";
    response.setHeader('Content-Type', 'application/json').statusCode = allowed.includes(path) ? 200 : 403;
    const refusal = { error: { type: 'invalid_request_error', message } };
    response.end(JSON.stringify(allowed.includes(path) ? { object: 'list', data: [], has_more: false } : refusal));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return createStripe({ secretKey: 'rk_live_x', apiUrl: `http://127.0.0.1:${port}` });
}

const everything = [
  ...['payment_intents', 'charges', 'refunds', 'disputes', 'files', 'events', 'balance_transactions'],
  ...['radar/early_fraud_warnings', 'reviews'],
];

test('a restricted key with the rights of its server is accepted, and one that Stripe says nothing about', async () => {
  await checkStripeRights(await listenWithRights(['payment_intents']), 'api', 'rk_live_x');
  await checkStripeRights(await listenWithRights(everything), 'worker', 'rk_live_x');
  await checkStripeRights(await listenWithRights([], everything), 'worker', 'rk_live_x');
});

test('a restricted key that lacks rights of its server, or has too many, is refused by their names', async () => {
  const missing = checkStripeRights(await listenWithRights(['payment_intents', 'charges']), 'worker', 'rk_live_x');
  await expect(missing).rejects.toThrow(/of the worker lacks the right "Refunds".*\n.*lacks the right "Disputes"/);
  const excess = checkStripeRights(await listenWithRights(everything), 'api', 'rk_live_x');
  await expect(excess).rejects.toThrow(/of the api must not have the right "Disputes"/);
});

test('a secret key is not asked for rights: it has all of them', async () => {
  await checkStripeRights(await listenWithRights([]), 'worker', 'sk_test_x');
});

test('an answer of Stripe that is too large, or comes too slowly, is given up', async () => {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'application/json').write(`{"id":"${'x'.repeat(2000)}`);
    response.on('error', () => {});
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const once = { maxNetworkRetries: 0 };
  for (const [limits, reason] of [
    [{ answerBytesMax: 1000 }, /larger than 1000 bytes/],
    [{ answerMsMax: 20 }, /took too long/],
  ] as const) {
    const stripe = createStripe({ secretKey: 'sk_test_x', apiUrl }, limits);
    const failure = await stripe.paymentIntents.retrieve('pi_1', {}, once).catch((error) => error);
    expect(failure.type).toBe('StripeConnectionError');
    expect(inspect(failure, { depth: 5 })).toMatch(reason);
  }
  server.closeAllConnections();
});
