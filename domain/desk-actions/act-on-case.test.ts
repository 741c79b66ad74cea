import { describe, expect, it } from 'vitest';
import { refusal, useDeskFixture } from '../../testing/desk-fixture.ts';
import { DeskCase } from '../desk/desk-case.entity.ts';
import { openCase } from '../desk/desk-case.repository.ts';
import { DeskRequest } from '../desk/desk-request.entity.ts';
import { syncDisputes } from '../payments/sync-disputes.ts';
import { syncPayment } from '../payments/sync-payment.ts';
import { Operation } from '../provider-calls/operation.entity.ts';
import { viewCase } from './desk.ts';

const desk = useDeskFixture();
const { payments: fixture } = desk;

describe('a retry', () => {
  it('of a refused payout opens a new one, which the bank pays, and the case closes automatically', async () => {
    const id = await desk.createRefused();
    expect((await desk.act(id, 'retry', { reason: '' })).actions).toEqual(['give_up_and_refund', 'pay_by_hand']);
    expect(await desk.payoutsOf(id)).toMatchObject([
      { status: 'failed', sequence: 1 },
      { status: 'pending', sequence: 2, attempts: 0 },
    ]);
    expect(await fixture.openCases(id)).toEqual(['operation_refused']);
    await fixture.run(id, 'payout');
    expect((await fixture.see(id)).state).toBe('completed');
    expect(await desk.caseOf(id)).toMatchObject({ resolvedById: null, resolution: null, outcome: 'paid' });
  });

  it('of an abandoned payout keeps its key, and its outcome stays unknown', async () => {
    const id = await desk.createAbandoned();
    const [before] = await desk.payoutsOf(id);
    await desk.act(id, 'retry');
    expect(await desk.payoutsOf(id)).toMatchObject([
      { status: 'unknown', attempts: 0, idempotencyKey: before?.idempotencyKey, nextAttemptAt: fixture.now },
    ]);
    for (const action of ['give_up_and_refund', 'pay_by_hand', 'retry'] as const) {
      await expect(desk.act(id, action)).rejects.toEqual(refusal('action_not_possible'));
    }
    await fixture.run(id, 'payout');
    await fixture.expectOutcome(id, 'completed');
    expect(await fixture.openCases(id)).toEqual([]);
  });

  it('of a refund opens a new one for the amount still owed, and the case stays open until it succeeds', async () => {
    const id = await desk.createUnrefunded();
    await desk.act(id, 'retry');
    expect(await fixture.operations(id, 'refund')).toMatchObject([
      { status: 'failed' },
      { status: 'pending', sequence: 2, amountMinor: 10_000n },
    ]);
    await fixture.run(id, 'refund');
    const refunds = (await fixture.stripe.sdk.refunds.list({ payment_intent: await fixture.intentId(id) })).data;
    expect(refunds).toHaveLength(2);
    // This one fails too, which Stripe reports a moment later.
    await fixture.stripe.idle();
    await syncPayment(fixture.context, id);
    expect(await fixture.openCases(id)).toEqual(['refund_failed']);
  });
});

describe('giving up and returning the money', () => {
  it.each([
    ['refused', () => desk.createRefused()],
    ['rejected', () => desk.createRejected()],
  ])('is possible after a %s payout; the refund follows and the books are even', async (_, create) => {
    const id = await create();
    const view = await desk.act(id, 'give_up_and_refund');
    expect(view).toMatchObject({ outcome: 'refunding', actions: [], request: null });
    expect(view.transaction.state).toBe('refunding');
    expect(await desk.caseOf(id)).toMatchObject({ resolvedById: desk.ana });
    await fixture.run(id, 'refund');
    expect((await fixture.see(id)).state).toBe('refunded');
    expect(await fixture.balances(id)).toEqual({});
  });

  it.each([
    ['in_flight', 1],
    ['unknown', 3],
    ['pending', 1],
  ] as const)('is impossible while the payout is %s after %i attempts', async (status, attempts) => {
    const id = await desk.createRefused();
    const [payout] = await desk.payoutsOf(id);
    await fixture.database.fork().nativeUpdate(Operation, { id: payout?.id ?? '' }, { status, attempts });
    for (const action of ['give_up_and_refund', 'pay_by_hand', 'resolve'] as const) {
      await expect(desk.act(id, action)).rejects.toEqual(refusal('action_not_possible'));
    }
    expect((await fixture.see(id)).state).toBe('captured');
    expect(await fixture.database.fork().count(DeskRequest, { transferId: id })).toBe(0);
  });

  it('and a concurrent attempt by the worker run one after the other', async () => {
    const id = await fixture.create({ state: 'captured' });
    await fixture.database.transaction((em) =>
      openCase(em, { transferId: id, reason: 'refund_outside', at: fixture.now }),
    );
    const [given] = await Promise.allSettled([desk.act(id, 'give_up_and_refund'), fixture.run(id, 'payout')]);
    const { state } = await fixture.see(id);
    expect(state).toBe(given.status === 'fulfilled' ? 'refunding' : 'completed');
    expect(fixture.payouts(id)).toHaveLength(given.status === 'fulfilled' ? 0 : 1);
  });
});

describe('a disputed charge', () => {
  it('is neither paid out nor refunded by hand, and its case is not closed by hand', async () => {
    const id = await desk.createRefused();
    const { id: refused } = await desk.caseOf(id);
    const { id: disputeId } = fixture.stripe.openDispute(await fixture.intentId(id));
    await syncDisputes(fixture.context, id);
    const viewer = { viewerId: desk.ana, at: fixture.now };
    expect((await viewCase(fixture.database.fork(), refused, viewer)).actions).toEqual(['retry']);
    for (const action of ['pay_by_hand', 'give_up_and_refund'] as const) {
      await expect(desk.act(id, action, { caseId: refused })).rejects.toEqual(refusal('action_not_possible'));
    }
    const disputed = await fixture.database
      .fork()
      .findOneOrFail(DeskCase, { transferId: id, reason: 'dispute_opened' });
    await expect(desk.act(id, 'resolve', { caseId: disputed.id })).rejects.toEqual(refusal('action_not_possible'));
    fixture.stripe.decideDispute(disputeId, 'won');
    await syncDisputes(fixture.context, id);
    expect((await viewCase(fixture.database.fork(), refused, viewer)).actions).toContain('pay_by_hand');
  });
});
