import { afterEach, describe, expect, it } from 'vitest';
import { usePaymentFixture } from '../../testing/payment-fixture.ts';
import { openOperation } from '../provider-calls/operation.repository.ts';
import { lockTransfer } from '../transfers/transfer.repository.ts';
import { syncPayment } from './sync-payment.ts';

const fixture = usePaymentFixture();
afterEach(() => fixture.stripe.clearFaults());

const createRefunding = (paymentMethod?: string) => fixture.createRefunding(paymentMethod ? { paymentMethod } : {});

const refundsOf = async (id: string) =>
  (await fixture.stripe.sdk.refunds.list({ payment_intent: await fixture.intentId(id) })).data;

describe('a refund', () => {
  it('returns the whole charge once, fee included', async () => {
    const id = await createRefunding();
    await Promise.all([fixture.run(id, 'refund'), fixture.run(id, 'refund')]);
    await fixture.run(id, 'refund');
    await fixture.expectOutcome(id, 'refunded');
    expect(await refundsOf(id)).toMatchObject([{ amount: 10_000, status: 'succeeded' }]);
  });

  it('refunds once when the answer of the refund is lost', async () => {
    const id = await createRefunding();
    fixture.stripe.failNext({ kind: 'do_then_drop', path: '^/v1/refunds$', method: 'POST' });
    await fixture.run(id, 'refund');
    await fixture.expectOutcome(id, 'refunded');
    expect(await refundsOf(id)).toHaveLength(1);
  });

  it('at our expense that failed opens a case again, and can be retried', async () => {
    const id = await fixture.create({ state: 'captured', paymentMethod: 'pm_card_refundFail' });
    await fixture.run(id, 'payout');
    await fixture.database.transaction(async (em) => {
      const transfer = await lockTransfer(em, id);
      await openOperation(em, transfer!, 'refund', { at: fixture.now, amountMinor: 10_000n });
    });
    fixture.stripe.context.asyncDelayMs = 60_000;
    await fixture.run(id, 'refund');
    expect(await fixture.see(id)).toMatchObject({ state: 'completed', returnedMinor: 10_000n });
    expect(await fixture.openCases(id)).toEqual([]);
    fixture.stripe.advanceClock(120);
    await fixture.stripe.idle();
    await syncPayment(fixture.context, id);
    expect(await fixture.see(id)).toMatchObject({ state: 'completed', returnedMinor: 0n });
    expect(await fixture.openCases(id)).toEqual(['refund_failed']);
    await syncPayment(fixture.context, id);
    expect(await fixture.cases(id)).toHaveLength(1);
  });

  it('waits for an asynchronous refund and completes when Stripe reports it', async () => {
    const id = await createRefunding('pm_card_pendingRefund');
    fixture.stripe.context.asyncDelayMs = 60_000;
    await fixture.run(id, 'refund');
    expect(await refundsOf(id)).toMatchObject([{ status: 'pending' }]);
    await syncPayment(fixture.context, id);
    expect((await fixture.see(id)).state).toBe('refunding');
    fixture.stripe.advanceClock(120);
    await fixture.stripe.idle();
    await syncPayment(fixture.context, id);
    await fixture.expectOutcome(id, 'refunded');
    expect(await refundsOf(id)).toHaveLength(1);
  });

  it('opens a case when the card rejects the refund, and the debt stays in the books', async () => {
    const id = await createRefunding('pm_card_refundFail');
    fixture.stripe.context.asyncDelayMs = 60_000;
    await fixture.run(id, 'refund');
    await fixture.expectOutcome(id, 'refunded');
    fixture.stripe.advanceClock(86_400);
    await fixture.stripe.idle();
    await syncPayment(fixture.context, id);
    expect((await fixture.see(id)).state).toBe('refunding');
    expect(await fixture.operations(id, 'refund')).toMatchObject([{ status: 'failed' }]);
    expect(await fixture.balances(id)).toEqual({ 'card_processor EUR': '-10000', 'refund_due EUR': '10000' });
    expect(await fixture.openCases(id)).toEqual(['refund_failed']);
  });

  it('refunds the rest when a part was refunded in Stripe’s dashboard', async () => {
    const id = await createRefunding();
    await fixture.stripe.sdk.refunds.create({ payment_intent: await fixture.intentId(id), amount: 100 });
    await fixture.run(id, 'refund');
    fixture.now = new Date(fixture.now.getTime() + 2_000);
    await fixture.run(id, 'refund');
    expect((await fixture.see(id)).state).toBe('refunded');
    const refunds = await fixture.operations(id, 'refund');
    expect(
      refunds
        .filter(({ status }) => status === 'succeeded')
        .map(({ amountMinor }) => amountMinor)
        .sort(),
    ).toEqual([100n, 9_900n]);
  });
});
