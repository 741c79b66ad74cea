import { afterEach, describe, expect, it } from 'vitest';
import { hourMs } from '#core/time/time';
import { useDeskFixture } from '../../testing/desk-fixture.ts';
import { attemptNow } from '../../testing/operations.ts';
import { viewCase } from '../desk-actions/desk.ts';
import { openOperation } from '../provider-calls/operation.repository.ts';
import { expirePayment } from './expire.ts';
import { syncPayment } from './sync-payment.ts';

const desk = useDeskFixture();
const { payments: fixture } = desk;
afterEach(() => fixture.stripe.clearFaults());

async function createRejected(): Promise<string> {
  const id = await fixture.create({ state: 'in_review' });
  await fixture.reject(id);
  return id;
}

async function actionsOf(id: string): Promise<readonly string[]> {
  const [open] = await fixture.cases(id);
  return (await viewCase(fixture.database.fork(), open?.id ?? '', { viewerId: desk.ana, at: fixture.now })).actions;
}

describe('a void', () => {
  it('cancels the payment intent of a rejected transfer and records that nothing is authorized', async () => {
    const id = await createRejected();
    await fixture.run(id, 'void');
    await fixture.run(id, 'void');
    await fixture.expectOutcome(id, 'rejected');
    expect((await fixture.intent(id)).cancellation_reason).toBe('abandoned');
  });

  it('informs Stripe that the sender requested the cancellation', async () => {
    const id = await fixture.create({ state: 'in_review' });
    await fixture.cancel(id);
    await fixture.run(id, 'void');
    await fixture.expectOutcome(id, 'cancelled');
    expect((await fixture.intent(id)).cancellation_reason).toBe('requested_by_customer');
  });

  it('only records an authorization that has already ended', async () => {
    const id = await createRejected();
    fixture.stripe.expireHold(await fixture.intentId(id));
    await fixture.run(id, 'void');
    await fixture.expectOutcome(id, 'rejected');
  });

  it('refunds a rejected transfer that was captured in Stripe’s dashboard', async () => {
    const id = await createRejected();
    await fixture.stripe.sdk.paymentIntents.capture(await fixture.intentId(id));
    await fixture.run(id, 'void');
    expect((await fixture.intent(id)).latest_charge).toMatchObject({ amount_refunded: 10_000, refunded: true });
    expect((await fixture.see(id)).authorizationVoidedAt).not.toBeNull();
  });

  it.each([
    ['an inquiry of the card’s bank, which does not keep Stripe from refunding it', 'inquiry', 10_000],
    ['a dispute, until it is decided', 'dispute', 0],
  ] as const)('of a rejected transfer captured there and under %s', async (_, kind, refunded) => {
    const id = await createRejected();
    await fixture.stripe.sdk.paymentIntents.capture(await fixture.intentId(id));
    fixture.stripe.openDispute(await fixture.intentId(id), { inquiry: kind === 'inquiry' });
    await fixture.run(id, 'void');
    expect((await fixture.intent(id)).latest_charge).toMatchObject({ amount_refunded: refunded });
  });

  it('opens a case when its refund of an unapproved charge fails', async () => {
    const id = await fixture.create({ state: 'in_review', paymentMethod: 'pm_card_refundFail' });
    await fixture.reject(id);
    await fixture.stripe.sdk.paymentIntents.capture(await fixture.intentId(id));
    await fixture.run(id, 'void');
    expect((await fixture.see(id)).authorizationVoidedAt).not.toBeNull();
    fixture.stripe.advanceClock(86_400);
    await fixture.stripe.idle();
    await syncPayment(fixture.context, id);
    expect((await fixture.see(id)).authorizationVoidedAt).toBeNull();
    expect(await fixture.openCases(id)).toEqual(['operation_refused']);
    expect(await actionsOf(id)).toContain('retry');
  });

  it('does nothing for a transfer that continues', async () => {
    const id = await fixture.create({ state: 'in_review' });
    const transfer = await fixture.see(id);
    const { id: operationId } = await fixture.database.transaction((em) =>
      openOperation(em, transfer, 'void', { at: fixture.now }),
    );
    await attemptNow(fixture.context, operationId);
    expect((await fixture.intent(id)).status).toBe('requires_capture');
    expect(await fixture.operations(id, 'void')).toMatchObject([{ status: 'abandoned' }]);
  });

  it('records nothing while Stripe does not answer, and voids with the next attempt', async () => {
    const id = await createRejected();
    fixture.stripe.failNext({ kind: 'stored_error', path: '/cancel$' });
    await fixture.run(id, 'void');
    expect((await fixture.see(id)).authorizationVoidedAt ?? null).toBeNull();
    fixture.now = new Date(fixture.now.getTime() + 2_000);
    await fixture.run(id, 'void');
    await fixture.expectOutcome(id, 'rejected');
  });

  it.each([
    [
      'of a transfer that its sender cancelled after the approval',
      'cancelled',
      async () => {
        const id = await fixture.create();
        await fixture.cancel(id);
        await fixture.run(id, 'capture');
        return id;
      },
    ],
    [
      'of a transfer whose quote expired',
      'expired',
      async () => {
        const id = await fixture.create({ state: 'awaiting_payment' });
        fixture.later(hourMs);
        await expirePayment(fixture.context, id);
        return id;
      },
    ],
  ] as const)('%s that Stripe rejected is retried from its case', async (_, state, create) => {
    const id = await create();
    fixture.stripe.failNext({ kind: 'error', status: 400, path: '/cancel$', method: 'POST' });
    await fixture.run(id, 'void');
    expect(await fixture.openCases(id)).toEqual(['operation_refused']);
    await desk.act(id, 'retry', { reason: '' });
    await fixture.run(id, 'void');
    expect(await fixture.see(id)).toMatchObject({ state, authorizationVoidedAt: expect.any(Date) });
    expect(await fixture.openCases(id)).toEqual([]);
  });
});
