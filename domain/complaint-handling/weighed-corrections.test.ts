import { afterEach, describe, expect, test } from 'vitest';
import { maxAttempts } from '#core/operations/operation';
import { useComplaintFixture } from '../../testing/complaint-fixture.ts';
import { attemptNow } from '../../testing/operations.ts';
import { sweepBankReturns } from '../bank-returns/sweep-bank-returns.ts';
import { syncRefunds } from '../payments/refund.ts';
import { syncDisputes } from '../payments/sync-disputes.ts';
import { syncPayment } from '../payments/sync-payment.ts';
import { Operation } from '../provider-calls/operation.entity.ts';
import { correctComplaint } from './conclude.ts';
import { sweepComplaints } from './sweep-complaints.ts';

// The correction of a report is limited by what was already returned of the charge: refunds of any kind, disputes and
// second payouts.

const complaints = useComplaintFixture();
const { desk, payments: fixture } = complaints;
afterEach(() => {
  fixture.bank.setMode({});
  fixture.stripe.clearFaults();
  fixture.stripe.setAccount({ uncoveredRefunds: 'none' });
});

const caseIdOf = async (id: string, reason: string) =>
  (await fixture.cases(id)).find((one) => one.reason === reason && !one.resolvedAt)?.id ?? '';
const validRefunds = async (id: string) => {
  const { data } = await fixture.stripe.sdk.refunds.list({ payment_intent: await fixture.intentId(id) });
  return data.filter(({ status }) => status === 'succeeded' || status === 'pending').map(({ amount }) => amount);
};
const refundOutside = async (id: string, amount?: number) => {
  const payment_intent = await fixture.intentId(id);
  const refund = await fixture.stripe.sdk.refunds.create({ payment_intent, ...(amount ? { amount } : {}) });
  await syncPayment(fixture.context, id);
  return refund;
};
const refuseRefunds = (times = 1) =>
  fixture.stripe.failNext({ kind: 'error', status: 400, path: '^/v1/refunds$', method: 'POST', times });

describe('retrying a refund when the newest failed one was made outside', () => {
  test('a retry of a small correction does not repeat a failed full refund of the dashboard', async () => {
    const id = await complaints.createPaidByCard();
    const report = await complaints.report(id);
    await complaints.conclude(report.id, { remedy: 'refund', amount: 250n });
    refuseRefunds();
    await fixture.run(id, 'refund');
    expect(await fixture.openCases(id)).toEqual(['operation_refused']);
    const outside = await refundOutside(id);
    fixture.stripe.failRefund(outside.id);
    await syncPayment(fixture.context, id);
    const caseId = await caseIdOf(id, 'operation_refused');
    const view = await desk.act(id, 'retry', { caseId, reason: '' }).catch(() => null);
    expect(view?.request ?? null).toBeNull();
    await fixture.run(id, 'refund');
    // One admin may refund 2.50 EUR, not 100.
    expect((await validRefunds(id)).filter((amount) => amount > 250)).toEqual([]);
  });
});

describe('retrying a refund after a second payout', () => {
  test('one admin cannot retry a rejected correction after a second payout', async () => {
    const id = await complaints.createPaidByCard();
    const first = await complaints.report(id, 'wrong_amount');
    await complaints.conclude(first.id, { remedy: 'refund', amount: 9_000n });
    await complaints.approve(first.id);
    refuseRefunds();
    await fixture.run(id, 'refund');
    const second = await complaints.report(id, 'computation');
    await complaints.conclude(second.id, { remedy: 'pay_again', payout: 129_117n });
    await complaints.approve(second.id);
    await fixture.run(id, 'payout');
    const caseId = await caseIdOf(id, 'operation_refused');
    await desk.act(id, 'retry', { caseId, reason: '' }).catch(() => null);
    await fixture.run(id, 'refund');
    expect(await validRefunds(id)).toEqual([]);
  });
});

describe('an abandoned correction that is retried', () => {
  test('is limited by the correction of another report since then', async () => {
    const id = await complaints.createPaidByCard();
    const first = await complaints.report(id, 'wrong_amount');
    await complaints.conclude(first.id, { remedy: 'refund', amount: 9_000n });
    await complaints.approve(first.id);
    const [refund] = await fixture.operations(id, 'refund');
    await fixture.database.fork().nativeUpdate(Operation, { id: refund?.id ?? '' }, { attempts: maxAttempts - 1 });
    // Stripe never receives it.
    fixture.stripe.failNext({ kind: 'drop', path: '^/v1/refunds$', method: 'POST', times: 10 });
    await fixture.run(id, 'refund');
    fixture.stripe.clearFaults();
    expect(await fixture.operations(id, 'refund')).toMatchObject([{ status: 'abandoned' }]);
    const second = await complaints.report(id, 'computation');
    const given = await complaints
      .conclude(second.id, { remedy: 'pay_again', payout: 129_117n })
      .then(() => complaints.approve(second.id))
      .then(() => true)
      .catch(() => false);
    if (given) await fixture.run(id, 'payout');
    // One admin, without a second person.
    await correctComplaint(fixture.database, complaints.by(first.id)).catch(() => undefined);
    await fixture.run(id, 'refund');
    const paid = fixture.payouts(id).filter(({ status }) => status === 'paid').length;
    expect([paid, await validRefunds(id)]).not.toEqual([2, [9_000]]);
  });
});

describe('a retry with another open refund', () => {
  test('does not close a report by the refund of the rest', async () => {
    const id = await complaints.createPaidByCard();
    const report = await complaints.report(id);
    await complaints.conclude(report.id, { remedy: 'refund', amount: 250n });
    refuseRefunds();
    await fixture.run(id, 'refund');
    fixture.bank.returnPayout(id, { amount: '500.00' });
    await sweepBankReturns(fixture.context);
    await desk.act(id, 'refund_rest', { caseId: await caseIdOf(id, 'payout_returned_in_part') });
    await desk.act(id, 'retry', { caseId: await caseIdOf(id, 'operation_refused'), reason: '' }).catch(() => null);
    for (let step = 0; step < 3; step += 1) await fixture.run(id, 'refund');
    const returned = await validRefunds(id);
    expect(returned).toContain(3_737);
    const { state } = await complaints.view(report.id);
    // Closed only if its 2.50 EUR were refunded as well.
    expect([state, returned.includes(250)]).not.toEqual(['closed', false]);
  });
});

describe('a correction attempted while a refund of the dashboard is pending', () => {
  test('is not considered complete when that one succeeds', async () => {
    const id = await complaints.createPaidByCard();
    const report = await complaints.report(id);
    await complaints.conclude(report.id, { remedy: 'refund', amount: 250n });
    const payment_intent = await fixture.intentId(id);
    await fixture.stripe.sdk.refunds.create({ payment_intent, amount: 100 });
    const { stripe } = fixture.context;
    // As Stripe lists a pending refund.
    const list = async (query: never) => {
      const page = await stripe.refunds.list(query);
      return { ...page, data: page.data.map((one) => ({ ...one, status: 'pending' })) };
    };
    const refunds = { list, create: stripe.refunds.create.bind(stripe.refunds) };
    const pending = { ...fixture.context, stripe: Object.assign(Object.create(stripe), { refunds }) };
    fixture.stripe.setAccount({ uncoveredRefunds: 'refused' });
    await fixture.run(id, 'refund', pending);
    const [first] = await fixture.operations(id, 'refund');
    await attemptNow(pending, first?.id ?? '');
    fixture.stripe.setAccount({ uncoveredRefunds: 'none' });
    await syncPayment(fixture.context, id);
    for (let step = 0; step < 3; step += 1) {
      fixture.later(3 * 3_600_000);
      for (const one of await fixture.dueOperations(id)) await attemptNow(fixture.context, one.id);
      await syncPayment(fixture.context, id);
    }
    const { state } = await complaints.view(report.id);
    expect([state, (await validRefunds(id)).includes(250)]).not.toEqual(['closed', false]);
  });
});

describe('the fee of two reports', () => {
  test('is refunded once', async () => {
    const id = await desk.createRejected();
    await complaints.fromUnitedStates(id);
    for (const reason of ['late', 'not_received'] as const) {
      const report = await complaints.report(id, reason);
      // One admin each time.
      await complaints.conclude(report.id, { remedy: 'pay_again' });
    }
    await complaints.nameAnotherAccount(id);
    await fixture.run(id, 'payout');
    expect((await fixture.see(id)).state).toBe('completed');
    for (let step = 0; step < 3; step += 1) {
      for (const one of await fixture.dueOperations(id)) await attemptNow(fixture.context, one.id);
      await sweepComplaints(fixture.context);
    }
    expect(await validRefunds(id)).toEqual([350]);
  });
});

describe('the fee of a report', () => {
  test('does not keep a report open forever after a chargeback', async () => {
    const id = await desk.createRejected();
    await complaints.fromUnitedStates(id);
    const report = await complaints.report(id, 'not_received');
    await complaints.conclude(report.id, { remedy: 'pay_again' });
    await complaints.nameAnotherAccount(id);
    // The bank pays; its answer is lost until a dispute was opened.
    fixture.bank.failNext({ kind: 'do_then_drop', path: '^/bank/', method: 'POST' });
    await fixture.run(id, 'payout');
    const { id: disputeId } = fixture.stripe.openDispute(await fixture.intentId(id));
    await syncDisputes(fixture.context, id);
    fixture.later(60_000);
    await fixture.run(id, 'payout');
    expect((await fixture.see(id)).state).toBe('completed');
    fixture.stripe.decideDispute(disputeId, 'lost');
    await syncDisputes(fixture.context, id);
    await desk.act(id, 'resolve', { caseId: await caseIdOf(id, 'dispute_lost') });
    fixture.later(30 * 86_400_000);
    await sweepComplaints(fixture.context);
    const { state, actions } = await complaints.view(report.id);
    expect([state, actions, await fixture.openCases(id)]).not.toEqual(['correcting', [], []]);
  });
});

describe('an older reading of refunds', () => {
  test('does not reverse a successful refund', async () => {
    const id = await fixture.createRefunding();
    const { stripe } = fixture.context;
    await fixture.run(id, 'refund');
    expect((await fixture.see(id)).state).toBe('refunded');
    const list = async (query: never) => {
      const page = await stripe.refunds.list(query);
      return { ...page, data: page.data.map((one) => ({ ...one, status: 'pending' })) };
    };
    const stale = { ...fixture.context, stripe: Object.assign(Object.create(stripe), { refunds: { list } }) };
    await syncRefunds(stale, await fixture.see(id)).catch(() => undefined);
    expect([(await fixture.see(id)).state, await fixture.openCases(id)]).toEqual(['refunded', []]);
  });

  test('does not reverse a successful correction', async () => {
    const id = await complaints.createPaidByCard();
    await complaints.conclude((await complaints.report(id)).id, { remedy: 'refund', amount: 250n });
    const { stripe } = fixture.context;
    await fixture.run(id, 'refund');
    const list = async (query: never) => {
      const page = await stripe.refunds.list(query);
      return { ...page, data: page.data.map((one) => ({ ...one, status: 'pending' })) };
    };
    const stale = { ...fixture.context, stripe: Object.assign(Object.create(stripe), { refunds: { list } }) };
    await syncRefunds(stale, await fixture.see(id)).catch(() => undefined);
    expect(await fixture.operations(id, 'refund')).toMatchObject([{ status: 'succeeded' }]);
  });
});

describe('the refund of a report', () => {
  test('requires two people to pay the rest of the payout, because the refund may already cover it', async () => {
    const id = await complaints.createPaidByCard();
    fixture.bank.returnPayout(id, { amount: '500.00' });
    await sweepBankReturns(fixture.context);
    const report = await complaints.report(id);
    await complaints.conclude(report.id, { remedy: 'refund', amount: 3_800n });
    await fixture.run(id, 'refund');
    const { request } = await desk.act(id, 'pay_rest', { caseId: await caseIdOf(id, 'payout_returned_in_part') });
    expect(request).toMatchObject({ amount: '500.00', outcome: null });
    expect(await desk.payoutsOf(id)).toHaveLength(1);
  });
});
