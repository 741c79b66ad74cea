import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { createStripe } from './stripe.ts';

const configuration = { secretKey: 'sk_test_sandbox', requestsPerSecond: null, sellsCrypto: false };
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
  return { stripe: createStripe({ ...configuration, apiUrl: `http://127.0.0.1:${port}` }), requests };
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
    const stripe = createStripe({ ...configuration, apiUrl }, limits);
    const failure = await stripe.paymentIntents.retrieve('pi_1', {}, once).catch((error) => error);
    expect(failure.type).toBe('StripeConnectionError');
    expect(inspect(failure, { depth: 5 })).toMatch(reason);
  }
  server.closeAllConnections();
});
