import { afterEach, describe, expect, test } from 'vitest';
import { openStatuses } from '#core/operations/operation';
import { syncDisputes } from '../disputes/sync-disputes.ts';
import { syncFraudWarnings } from '../payments/fraud-warnings.ts';
import { syncPayment } from '../payments/sync-payment.ts';
import { sweepBankReturns } from '../payouts/sweep-bank-returns.ts';
import { useComplaintFixture } from '../testing/complaint-fixture.ts';
import { viewCase } from './desk.ts';

const complaints = useComplaintFixture();
const { desk, payments: fixture } = complaints;
afterEach(() => fixture.stripe.clearFaults());

const casesOf = async (id: string) => {
  const open = (await fixture.cases(id)).filter(({ resolvedAt }) => !resolvedAt);
  return Promise.all(
    open.map((one) => viewCase(fixture.database.fork(), one.id, { viewerId: desk.ana, at: fixture.now })),
  );
};
const actionsOf = async (id: string) => (await casesOf(id)).map(({ reason, actions }) => [reason, ...actions]);
const caseIdOf = async (id: string, reason: string) =>
  (await fixture.cases(id)).find((one) => one.reason === reason && !one.resolvedAt)?.id ?? '';
const standingRefunds = async (id: string) => {
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

describe('A: an unapproved charge whose refund fails later', () => {
  test('the money of a rejected transfer that was charged in the dashboard is somebody’s task when its refund bounces', async () => {
    const id = await fixture.create({ state: 'in_review', paymentMethod: 'pm_card_refundFail' });
    await fixture.reject(id);
    await fixture.stripe.sdk.paymentIntents.capture(await fixture.intentId(id));
    await fixture.run(id, 'void');
    fixture.stripe.advanceClock(86_400);
    await fixture.stripe.idle();
    for (let step = 0; step < 3; step += 1) {
      await syncPayment(fixture.context, id);
      await fixture.run(id, 'void');
      fixture.later(86_400_000);
    }
    expect(await standingRefunds(id)).toEqual([]);
    const isOpen = (await fixture.operations(id)).some(({ status }) => openStatuses.includes(status));
    expect(isOpen || (await actionsOf(id)).some((one) => one.length > 1)).toBe(true);
  });
});

describe('B: retry of a refund takes the newest failed one, whoever made it', () => {
  test('a retry of a small correction does not repeat a whole refund of the dashboard that failed', async () => {
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
    // One admin may return 2.50 EUR, not 100.
    expect((await standingRefunds(id)).filter((amount) => amount > 250)).toEqual([]);
  });
});

describe('C: retry of a refund is not weighed against what was given since', () => {
  test('one admin does not repeat a refused correction after the family was paid again', async () => {
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
    expect(await standingRefunds(id)).toEqual([]);
  });
});

describe('D: a retry follows another open refund', () => {
  test('a report is not closed by the refund of the rest', async () => {
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
    const returned = await standingRefunds(id);
    expect(returned).toContain(3_737);
    const { state } = await complaints.view(report.id);
    // Closed only if its own 2.50 EUR went back as well.
    expect([state, returned.includes(250)]).not.toEqual(['closed', false]);
  });
});

describe('E: a release covers more than its author saw', () => {
  test('a release that one person requested for a small outside refund does not cover a large one', async () => {
    const id = await fixture.create({ state: 'captured' });
    await refundOutside(id, 100);
    const requested = await desk.act(id, 'release_hold');
    await refundOutside(id, 9_000);
    await desk.decide(requested.request?.id ?? '', desk.luis).catch(() => null);
    await fixture.run(id, 'payout');
    expect(fixture.payouts(id)).toEqual([]);
  });

  test('nor does one for a dispute lost in part cover another dispute', async () => {
    const id = await fixture.create({ state: 'captured' });
    const first = fixture.stripe.openDispute(await fixture.intentId(id), { amount: 100 });
    fixture.stripe.decideDispute(first.id, 'lost');
    await syncDisputes(fixture.context, id);
    const requested = await desk.act(id, 'release_hold', { caseId: await caseIdOf(id, 'dispute_lost') });
    const second = fixture.stripe.openDispute(await fixture.intentId(id), { amount: 9_000 });
    fixture.stripe.decideDispute(second.id, 'lost');
    await syncDisputes(fixture.context, id);
    await desk.decide(requested.request?.id ?? '', desk.luis).catch(() => null);
    await fixture.run(id, 'payout');
    expect(fixture.payouts(id)).toEqual([]);
  });
});

describe('K: a release of one warning of fraud', () => {
  test('does not cover a later one of the same type', async () => {
    const id = await fixture.create({ state: 'captured', paymentMethod: 'pm_card_createIssuerFraudRecord' });
    await fixture.stripe.idle();
    const { stripe } = fixture.context;
    const given = (data: readonly unknown[]) => {
      const radar = { earlyFraudWarnings: { list: async () => ({ data }) } };
      return { ...fixture.context, stripe: Object.assign(Object.create(stripe), { radar }) };
    };
    const warning = (name: string) => ({ id: name, actionable: true, fraud_type: 'made_with_stolen_card' });
    await syncFraudWarnings(given([warning('issfr_1')]), id);
    const requested = await desk.act(id, 'release_hold');
    await desk.decide(requested.request?.id ?? '', desk.luis);
    await syncFraudWarnings(given([]), id);
    await syncFraudWarnings(given([warning('issfr_2')]), id);
    await fixture.run(id, 'payout');
    expect(fixture.payouts(id)).toEqual([]);
  });
});
