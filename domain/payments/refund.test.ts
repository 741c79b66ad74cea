import { afterEach, describe, expect, it } from 'vitest';
import { NonRetryableError } from '#platform/queues/retry';
import { payOut } from '../payouts/pay-out.ts';
import { usePaymentFixture } from '../testing/payment-fixture.ts';
import { refundPayment } from './refund.ts';
import { syncPayment } from './sync-payment.ts';

const fixture = usePaymentFixture();
afterEach(() => fixture.stripe.clearFaults());

/** A charged transfer whose payout the bank refused. */
async function createRefunding(paymentMethod?: string): Promise<string> {
  const id = await fixture.create({ state: 'captured', ...(paymentMethod && { paymentMethod }) });
  fixture.bank.setMode({ rejectNext: 1 });
  await payOut(fixture.context, id);
  expect((await fixture.see(id)).state).toBe('refunding');
  return id;
}

const refundsOf = async (id: string) =>
  (await fixture.stripe.sdk.refunds.list({ payment_intent: await fixture.intentId(id) })).data;

describe('refundPayment', () => {
  it('returns the whole charge once, fee included', async () => {
    const id = await createRefunding();
    await Promise.all([refundPayment(fixture.context, id), refundPayment(fixture.context, id)]);
    await refundPayment(fixture.context, id);
    await fixture.expectOutcome(id, 'refunded');
    expect(await refundsOf(id)).toMatchObject([{ amount: 10_000, status: 'succeeded' }]);
  });

  it('refunds once when the answer of the refund is lost', async () => {
    const id = await createRefunding();
    fixture.stripe.failNext({ kind: 'do_then_drop', path: '^/v1/refunds$', method: 'POST' });
    await refundPayment(fixture.context, id);
    await fixture.expectOutcome(id, 'refunded');
    expect(await refundsOf(id)).toHaveLength(1);
  });

  it('waits for an asynchronous refund and completes when Stripe reports it', async () => {
    const id = await createRefunding('pm_card_pendingRefund');
    fixture.stripe.context.asyncDelayMs = 60_000;
    await refundPayment(fixture.context, id);
    expect(await refundsOf(id)).toMatchObject([{ status: 'pending' }]);
    await syncPayment(fixture.context, id);
    expect((await fixture.see(id)).state).toBe('refunding');
    fixture.stripe.advanceClock(120);
    await fixture.stripe.idle();
    await syncPayment(fixture.context, id);
    await fixture.expectOutcome(id, 'refunded');
    expect(await refundsOf(id)).toHaveLength(1);
  });

  it('gives up on a refund that Stripe could not return to the card', async () => {
    const id = await createRefunding();
    const refund = await fixture.stripe.sdk.refunds.create({ payment_intent: await fixture.intentId(id) });
    fixture.stripe.context.storage.transaction(() =>
      fixture.stripe.context.storage.save('refund', { ...refund, status: 'failed' }),
    );
    await expect(refundPayment(fixture.context, id)).rejects.toBeInstanceOf(NonRetryableError);
    expect((await fixture.see(id)).state).toBe('refunding');
  });

  it('does not touch a transfer that is not being refunded', async () => {
    const id = await fixture.create({ state: 'captured' });
    await refundPayment(fixture.context, id);
    expect(await refundsOf(id)).toEqual([]);
  });
});
