import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStripe } from '#platform/stripe';
import { startStripe, type TestStripe } from '../sandbox/testing/start-stripe.ts';

describe('the request budget of the Stripe client', () => {
  let simulator: TestStripe;
  beforeAll(async () => {
    simulator = await startStripe();
  });
  afterAll(() => simulator.close());

  /** Sends requests to two endpoints at once; returns when each was answered, or how it failed. */
  function sendAtOnce(requestsPerSecond: number, count: number): Promise<number | string>[] {
    const configuration = { secretKey: 'sk_test_sandbox', apiUrl: simulator.origin, sellsCrypto: false };
    const stripe = createStripe({ ...configuration, requestsPerSecond });
    return Array.from({ length: count }, (_, index) =>
      stripe[index % 2 === 0 ? 'charges' : 'refunds'].list({ limit: 1 }, { maxNetworkRetries: 0 }).then(
        () => performance.now(),
        (error) => error.type as string,
      ),
    );
  }

  test('is shared by all requests, and has a backlog wait', async () => {
    const start = performance.now();
    const answered = (await Promise.all(sendAtOnce(100, 120))).map(Number);
    // Twenty in every fifth of a second: the last twenty come a second after the first.
    expect(Math.max(...answered) - start).toBeGreaterThan(900);
    expect(answered.filter(Number.isFinite)).toHaveLength(120);
  });

  test('refuses what would wait longer than ten seconds, as if Stripe did not answer', async () => {
    // The first is sent at once, ten wait, and there is no room for the last.
    const [, ...others] = sendAtOnce(1, 12);
    expect(await Promise.race(others)).toBe('StripeConnectionError');
  });
});
