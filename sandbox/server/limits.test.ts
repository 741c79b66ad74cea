/** Limits and failures that Stripe answers before a request is executed. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SandboxClient } from '../testing/sandbox-client.ts';
import { stripeFor } from '../testing/start-stripe.ts';

let client: SandboxClient;
beforeAll(async () => {
  client = await SandboxClient.start();
});
afterAll(() => client.close());
afterEach(() => client.control('POST', '/reset'));

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${client.sandbox.url}/v1/${path}`, { headers: { authorization: 'Bearer sk_test_sandbox', ...headers } });

describe('the rate limit', () => {
  const limit = (requestsPerSecond: number | null) => client.control('PUT', '/stripe/account', { requestsPerSecond });
  /** Statuses of parallel requests for payments of any ids. */
  const statuses = async (count: number) => {
    const answers = Array.from({ length: count }, async (_, n) => (await get(`payment_intents/pi_${n}`)).status);
    return (await Promise.all(answers)).sort();
  };

  it('is off unless it is set', async () => {
    expect(await statuses(40)).toEqual(Array(40).fill(404));
  });

  it('counts every id of a path as one endpoint, and each endpoint alone', async () => {
    await limit(3);
    expect(await statuses(5)).toEqual([404, 404, 404, 429, 429]);
    expect((await get('charges')).status).toBe(200);
    await expect(client.stripe.paymentIntents.retrieve('pi_1')).rejects.toMatchObject({
      ...{ type: 'StripeRateLimitError', statusCode: 429, code: 'rate_limit' },
    });
  });
});

describe('the API version', () => {
  it.each([
    ['2026-10-28.endive', 200],
    ['2025-03-31.basil', 400],
    ['foo', 400],
  ])('%s of a request is answered with %i', async (version, status) => {
    expect((await get('charges', { 'stripe-version': version })).status).toBe(status);
  });

  it('may be left out, as Stripe.js does', async () => {
    expect((await get('charges')).status).toBe(200);
  });
});

describe('an injected failure', () => {
  const fault = (body: object) => client.control('POST', '/faults', { kind: 'error', path: '^/v1/charges', ...body });

  it('has the requested error code', async () => {
    await fault({ status: 429, code: 'lock_timeout' });
    await expect(client.stripe.charges.list()).rejects.toMatchObject({
      ...{ type: 'StripeRateLimitError', code: 'lock_timeout' },
    });
    await fault({ status: 400, code: 'balance_insufficient' });
    await expect(client.stripe.charges.list()).rejects.toMatchObject({
      ...{ type: 'StripeInvalidRequestError', code: 'balance_insufficient' },
    });
  });

  it('tells the SDK with stripe-should-retry whether to repeat the request', async () => {
    const stripe = stripeFor(client.sandbox.url, 'sk_test_sandbox', { maxNetworkRetries: 1 });
    await fault({ status: 429, shouldRetry: true });
    expect((await stripe.charges.list()).data).toEqual([]);
    await fault({ status: 500, shouldRetry: false });
    await expect(stripe.charges.list()).rejects.toMatchObject({ statusCode: 500 });
  });
});
