import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import type { Stripe } from 'stripe';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startStripe, type TestStripe } from '../sandbox/testing/start-stripe.ts';
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

describe('the request budget', () => {
  let simulator: TestStripe;
  beforeAll(async () => {
    simulator = await startStripe();
  });
  afterAll(() => simulator.close());
  const limited = (requestsPerSecond: number) =>
    createStripe({ ...configuration, requestsPerSecond, apiUrl: simulator.origin });
  /** How many of so many requests at once Stripe refuses. */
  const refusedAtOnce = async (stripe: Stripe, list: 'charges' | 'refunds') => {
    const calls = Array.from({ length: 150 }, () => stripe[list].list({ limit: 1 }, { maxNetworkRetries: 0 }));
    return (await Promise.allSettled(calls)).filter(({ status }) => status === 'rejected').length;
  };

  test('has a backlog wait instead of meeting Stripe’s limit', async () => {
    simulator.setAccount({ requestsPerSecond: 125 });
    const unlimited = createStripe({ ...configuration, apiUrl: simulator.origin });
    expect(await refusedAtOnce(unlimited, 'refunds')).toBeGreaterThan(0);
    expect(await refusedAtOnce(limited(100), 'charges')).toBe(0);
  });

  test('refuses what would wait longer than ten seconds, as if Stripe did not answer', async () => {
    simulator.setAccount({ requestsPerSecond: null });
    const stripe = limited(1);
    const waiting = Array.from({ length: 12 }, () =>
      stripe.charges.list({ limit: 1 }, { maxNetworkRetries: 0 }).then(
        () => 'answered',
        (error) => error.type,
      ),
    );
    // The first is sent at once, ten wait, and there is no room for the last.
    expect(await Promise.race(waiting.slice(1))).toBe('StripeConnectionError');
  });
});
