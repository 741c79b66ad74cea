import { afterEach, expect, test } from 'vitest';
import { laterMs, maxAttempts, pollMs, slowRefusals } from '#core/operations/operation';
import { useComplaintFixture } from '../../testing/complaint-fixture.ts';
import { refusal } from '../../testing/desk-fixture.ts';
import { sweepBankReturns } from '../bank-returns/sweep-bank-returns.ts';
import { correctComplaint } from '../complaint-handling/conclude.ts';
import { sweepComplaints } from '../complaint-handling/sweep-complaints.ts';
import { viewCase } from '../desk-actions/desk.ts';
import { syncFraudWarnings } from '../payments/fraud-warnings.ts';
import { syncDisputes } from '../payments/sync-disputes.ts';
import { syncPayment } from '../payments/sync-payment.ts';
import { Operation } from '../provider-calls/operation.entity.ts';

const complaints = useComplaintFixture();
const { desk, payments: fixture } = complaints;
afterEach(() => fixture.stripe.clearFaults());
const part = { remedy: 'refund', amount: 250n } as const;
const refundsOf = async (id: string) => {
  const { data } = await fixture.stripe.sdk.refunds.list({ payment_intent: await fixture.intentId(id) });
  return data.map(({ amount }) => amount);
};

test('retries a correction that Stripe rejected with its amount, not the whole charge', async () => {
  const id = await complaints.createPaidByCard();
  const report = await complaints.report(id);
  await complaints.conclude(report.id, part);
  fixture.stripe.failNext({ kind: 'error', status: 400, path: '^/v1/refunds$', method: 'POST' });
  await fixture.run(id, 'refund');
  expect(await fixture.openCases(id)).toEqual(['operation_refused']);
  await desk.act(id, 'retry', { reason: '' });
  await fixture.run(id, 'refund');
  expect(await refundsOf(id)).toEqual([250]);
});

test('closes the case about a correction that took long, once it is made', async () => {
  const id = await complaints.createPaidByCard();
  const report = await complaints.report(id);
  await complaints.conclude(report.id, part);
  for (let refusals = 1; refusals <= slowRefusals; refusals += 1) {
    const refused = { kind: 'error', status: 400, code: 'balance_insufficient' } as const;
    fixture.stripe.failNext({ ...refused, path: '^/v1/refunds$', method: 'POST' });
    await fixture.run(id, 'refund');
    fixture.later(laterMs);
  }
  expect(await fixture.openCases(id)).toEqual(['operation_slow']);
  await fixture.run(id, 'refund');
  expect(await refundsOf(id)).toEqual([250]);
  expect(await fixture.openCases(id)).toEqual([]);
  expect(await fixture.cases(id)).toMatchObject([{ outcome: 'refunded', resolution: null }]);
});

test('closes the report of a correction that succeeded under a new key', async () => {
  const id = await complaints.createPaidByCard();
  const report = await complaints.report(id);
  await complaints.conclude(report.id, part);
  fixture.stripe.failNext({ kind: 'stored_error', path: '^/v1/refunds$', method: 'POST' });
  await fixture.run(id, 'refund');
  fixture.later(60_000);
  await fixture.run(id, 'refund');
  expect(await refundsOf(id)).toEqual([250]);
  expect(await complaints.view(report.id)).toMatchObject({ state: 'closed', actions: [] });
});

test('refuses to repeat a correction that continues under a new key', async () => {
  const id = await complaints.createPaidByCard();
  const report = await complaints.report(id);
  await complaints.conclude(report.id, part);
  fixture.stripe.failNext({ kind: 'stored_error', path: '^/v1/refunds$', method: 'POST' });
  await fixture.run(id, 'refund');
  fixture.later(60_000);
  await fixture.run(id, 'refund');
  await correctComplaint(fixture.database, complaints.by(report.id)).catch(() => undefined);
  await fixture.run(id, 'refund');
  expect(await refundsOf(id)).toEqual([250]);
});

test('does not create a second refund for a correction abandoned without an answer', async () => {
  const id = await complaints.createPaidByCard();
  const report = await complaints.report(id);
  await complaints.conclude(report.id, part);
  const [refund] = await fixture.operations(id, 'refund');
  await fixture.database.fork().nativeUpdate(Operation, { id: refund?.id ?? '' }, { attempts: maxAttempts - 1 });
  // The refund is made, its answer is lost, and Stripe's event has not arrived.
  fixture.stripe.failNext({ kind: 'do_then_drop', path: '^/v1/refunds$', method: 'POST', times: 10 });
  await fixture.run(id, 'refund');
  expect(await fixture.operations(id, 'refund')).toMatchObject([{ status: 'abandoned' }]);
  fixture.stripe.clearFaults();
  await correctComplaint(fixture.database, complaints.by(report.id)).catch(() => undefined);
  await fixture.run(id, 'refund');
  expect(await refundsOf(id)).toEqual([250]);
});

test('does not mistake a pending correction for an outside refund', async () => {
  const id = await complaints.createPaidByCard('pm_card_pendingRefund');
  await complaints.conclude((await complaints.report(id)).id, { remedy: 'refund', amount: 250n });
  const { stripe } = fixture.context;
  const list = async (query: never) => {
    const page = await stripe.refunds.list(query);
    return { ...page, data: page.data.map((one) => ({ ...one, status: 'pending' })) };
  };
  const refunds = { list, create: stripe.refunds.create.bind(stripe.refunds) };
  const pending = Object.assign(Object.create(stripe), { refunds });
  await fixture.run(id, 'refund', { ...fixture.context, stripe: pending });
  await fixture.stripe.idle();
  await syncPayment(fixture.context, id);
  expect(await fixture.openCases(id)).toEqual([]);
});

test('rejects a refund at our expense while a second payout may still be made', async () => {
  const id = await complaints.createPaidByCard('pm_card_createIssuerFraudRecord');
  await fixture.stripe.idle();
  await syncFraudWarnings(fixture.context, id);
  const report = await complaints.report(id, 'not_received');
  await complaints.conclude(report.id, { remedy: 'pay_again', payout: 129_117n });
  await complaints.approve(report.id);
  await fixture.run(id, 'payout');
  expect((await fixture.operations(id, 'payout')).at(-1)?.lastError).toBe('held: fraud_warning');
  await expect(desk.act(id, 'refund_at_loss')).rejects.toEqual(refusal('action_not_possible'));
});

test('two people can release a second payout held by an outside refund', async () => {
  const id = await complaints.createPaidByCard();
  await fixture.stripe.sdk.refunds.create({ payment_intent: await fixture.intentId(id), amount: 100 });
  await syncPayment(fixture.context, id);
  const report = await complaints.report(id, 'wrong_amount');
  await complaints.conclude(report.id, { remedy: 'pay_again', payout: 10_000n });
  await complaints.approve(report.id);
  await fixture.run(id, 'payout');
  const held = { status: 'in_flight', lastError: 'held: refund_outside' };
  expect((await fixture.operations(id, 'payout')).at(-1)).toMatchObject(held);
  const requested = await desk.act(id, 'release_hold');
  expect(requested.request).toMatchObject({ amount: '100.00', currency: 'BOB' });
  await desk.decide(requested.request?.id ?? '', desk.luis);
  await fixture.run(id, 'payout');
  expect((await fixture.operations(id, 'payout')).at(-1)).toMatchObject({ status: 'succeeded' });
});

test('two people can release the rest held by a partly lost dispute, which is then paid', async () => {
  const id = await complaints.createPaidByCard();
  const { id: disputeId } = fixture.stripe.openDispute(await fixture.intentId(id), { amount: 100 });
  await syncDisputes(fixture.context, id);
  fixture.stripe.decideDispute(disputeId, 'lost');
  await syncDisputes(fixture.context, id);
  fixture.bank.returnPayout(id, { amount: '500.00' });
  await sweepBankReturns(fixture.context);
  const caseId = (await fixture.cases(id)).find(({ reason }) => reason === 'payout_returned_in_part')?.id ?? '';
  const actions = async () =>
    (await viewCase(fixture.database.fork(), caseId, { viewerId: desk.ana, at: fixture.now })).actions;
  expect(await actions()).toEqual(['release_hold']);
  const requested = await desk.act(id, 'release_hold', { caseId });
  await desk.decide(requested.request?.id ?? '', desk.luis);
  expect(await actions()).toContain('pay_rest');
});

/** Loses a dispute about a part after the payout. */
async function losePartOf(id: string): Promise<void> {
  const { id: disputeId } = fixture.stripe.openDispute(await fixture.intentId(id), { amount: 100 });
  await syncDisputes(fixture.context, id);
  fixture.stripe.decideDispute(disputeId, 'lost');
  await syncDisputes(fixture.context, id);
}

test('reopens a report whose refund a chargeback rules out, and notifies the sender', async () => {
  const id = await complaints.createPaidByCard();
  const report = await complaints.report(id);
  await complaints.conclude(report.id, part);
  await losePartOf(id);
  await fixture.run(id, 'refund');
  expect(await fixture.operations(id, 'refund')).toMatchObject([{ status: 'failed', lastError: 'held: charged_back' }]);
  expect(await refundsOf(id)).toEqual([]);
  expect(await fixture.openCases(id)).toEqual(['correction_failed', 'dispute_lost']);
  expect(await complaints.view(report.id)).toMatchObject({ state: 'investigating' });
  const { userId } = await fixture.see(id);
  expect(await complaints.kindsTo(report.id, userId)).toContain('complaint_reopened');
  await complaints.conclude(report.id, { remedy: 'none' });
  expect(await complaints.view(report.id)).toMatchObject({ state: 'closed' });
  expect(await fixture.openCases(id)).toEqual(['dispute_lost']);
});

test('does not give up an unanswered refund that may have been made just before the dispute was lost', async () => {
  const id = await complaints.createPaidByCard();
  const report = await complaints.report(id);
  await complaints.conclude(report.id, part);
  fixture.stripe.failNext({ kind: 'error', status: 429, path: '^/v1/refunds$', method: 'POST', times: 10 });
  await fixture.run(id, 'refund');
  fixture.stripe.clearFaults();
  await losePartOf(id);
  fixture.later(60_000);
  await fixture.run(id, 'refund');
  expect(await fixture.operations(id, 'refund')).toMatchObject([{ lastError: 'held: charged_back' }]);
  expect(await complaints.view(report.id)).toMatchObject({ state: 'correcting' });
  fixture.later(pollMs);
  await fixture.run(id, 'refund');
  expect(await complaints.view(report.id)).toMatchObject({ state: 'investigating' });
});

test('reopens a report when the whole charge is refunded another way before its refund', async () => {
  const id = await complaints.createPaidByCard();
  const report = await complaints.report(id);
  await complaints.conclude(report.id, part);
  await fixture.stripe.sdk.refunds.create({ payment_intent: await fixture.intentId(id), amount: 10_000 });
  await fixture.run(id, 'refund');
  expect(await fixture.operations(id, 'refund')).toMatchObject([{ status: 'abandoned' }, { status: 'succeeded' }]);
  expect(await complaints.view(report.id)).toMatchObject({ state: 'investigating' });
});

test('keeps the case about an unanswered second payout until its outcome is known', async () => {
  const id = await complaints.createPaidByCard();
  const report = await complaints.report(id);
  await complaints.conclude(report.id, { remedy: 'pay_again', payout: 10_000n });
  await complaints.approve(report.id);
  await desk.abandonPayout(id);
  expect(await complaints.view(report.id)).toMatchObject({ state: 'correcting', actions: [] });
  await expect(desk.act(id, 'resolve')).rejects.toEqual(refusal('action_not_possible'));
  const { request } = await desk.act(id, 'retry', { reason: '' });
  await desk.decide(request?.id ?? '', desk.luis);
  await fixture.run(id, 'payout');
  expect(await complaints.view(report.id)).toMatchObject({ state: 'closed' });
  expect(await fixture.openCases(id)).toEqual([]);
});

test('closes a report whose fee is still owed when the whole charge, fee included, is charged back', async () => {
  const id = await fixture.create({ state: 'captured' });
  const rejection = { code: 'beneficiary_not_allowed', message: 'No se paga a esta persona.' } as const;
  fixture.bank.setMode({ rejectNext: 1, rejection });
  await fixture.run(id, 'payout');
  fixture.bank.setMode({});
  await complaints.fromUnitedStates(id);
  const report = await complaints.report(id, 'not_received');
  await complaints.conclude(report.id, { remedy: 'pay_again' });
  await desk.act(id, 'retry', { reason: '' });
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
  await desk.act(id, 'resolve');
  await sweepComplaints(fixture.context);
  expect(await fixture.operations(id, 'refund')).toEqual([]);
  expect(await complaints.view(report.id)).toMatchObject({ state: 'closed', actions: [] });
  expect(await fixture.openCases(id)).toEqual([]);
});
