import { afterEach, describe, expect, it } from 'vitest';
import { createLogger } from '#platform/logging';
import { usePaymentFixture } from '../../testing/payment-fixture.ts';
import { CardPayments } from './payment-intents.ts';

const fixture = usePaymentFixture();
afterEach(() => {
  fixture.stripe.clearFaults();
  fixture.stripe.calls.length = 0;
});

const limit = (times: number) => fixture.stripe.failNext({ kind: 'error', status: 429, path: '^/v1/', times });

/** Prepares the payment of a transfer that already has its intent. */
async function prepare() {
  const id = await fixture.create({ state: 'awaiting_payment' });
  const transfer = await fixture.see(id);
  return async (times: number) => {
    limit(times);
    fixture.stripe.calls.length = 0;
    const cards = new CardPayments(fixture.database, fixture.context.stripe, createLogger('api', 'silent'), 1);
    return cards.prepare(transfer);
  };
}

describe('a payment that hits Stripe’s rate limit when it is opened', () => {
  it('is retried once after a pause', async () => {
    const attempt = await prepare();
    expect(await attempt(1)).toMatchObject({ clientSecret: expect.stringContaining('_secret_') });
    expect(fixture.stripe.calls).toHaveLength(2);
  });

  it('fails when it hits the limit again', async () => {
    const attempt = await prepare();
    await expect(attempt(2)).rejects.toMatchObject({ code: 'payment_not_started' });
    expect(fixture.stripe.calls).toHaveLength(2);
  });
});
