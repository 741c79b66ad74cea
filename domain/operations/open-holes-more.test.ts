import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { maxAttempts } from '#core/operations/operation';
import { setBlocked } from '../accounts/account-oversight.repository.ts';
import { submitDisputeEvidence } from '../disputes/respond.ts';
import { syncDisputes } from '../disputes/sync-disputes.ts';
import { syncPayment } from '../payments/sync-payment.ts';
import { sweepBankReturns } from '../payouts/sweep-bank-returns.ts';
import { useComplaintFixture } from '../testing/complaint-fixture.ts';
import { testTarget } from '../testing/transfers.ts';
import { correctAccount } from '../transfers/correct-account.ts';
import { viewCase } from './desk.ts';
import { Operation, ProviderCircuit } from './operation.entity.ts';

const complaints = useComplaintFixture();
const { desk, payments: fixture } = complaints;
afterEach(() => {
  fixture.bank.setMode({});
  fixture.stripe.setAccount({ uncoveredRefunds: 'none' });
});

const actionsOf = async (id: string) => {
  const open = (await fixture.cases(id)).filter(({ resolvedAt }) => !resolvedAt);
  const views = await Promise.all(
    open.map((one) => viewCase(fixture.database.fork(), one.id, { viewerId: desk.ana, at: fixture.now })),
  );
  return views.map(({ reason, actions }) => [reason, ...actions]);
};
const caseIdOf = async (id: string, reason: string) =>
  (await fixture.cases(id)).find((one) => one.reason === reason && !one.resolvedAt)?.id ?? '';
const standingRefunds = async (id: string) => {
  const { data } = await fixture.stripe.sdk.refunds.list({ payment_intent: await fixture.intentId(id) });
  return data.filter(({ status }) => status === 'succeeded' || status === 'pending').map(({ amount }) => amount);
};
const rules = {
  ...{ newDeviceUsdMinor: 1_000_000n, sessions: { stepUpMs: 600_000 } },
  desk: { reviewTwoPersonsUsdMinor: 200_000n },
};
async function nameAnotherAccount(id: string) {
  const { userId } = await fixture.see(id);
  const recipientId = randomUUID();
  await fixture.database.fork().execute(
    `insert into recipient (id, user_id, name, email, phone, ci, bank_name, bank_account, address, city, relationship,
       created_at) values (?, ?, ?, '', '+591 70000001', ?, 'Banco Sol', ?, 'Av. 1', 'Oruro', '', now())`,
    [recipientId, userId, testTarget.name, testTarget.ci, String(Date.now())],
  );
  return fixture.database.transaction((em) =>
    correctAccount(em, rules, { userId, provenAt: fixture.now, transferId: id, recipientId, at: fixture.now }),
  );
}

describe('J: a cancellation that came too late', () => {
  test('does not undo the account that the sender names after the bank returned the payment', async () => {
    const id = await fixture.create({ state: 'captured' });
    fixture.bank.failNext({ kind: 'do_then_drop', path: '^/bank/', method: 'POST' });
    await fixture.run(id, 'payout');
    await fixture.cancel(id);
    await fixture.run(id, 'payout');
    expect((await fixture.see(id)).state).toBe('completed');
    fixture.later(86_400_000);
    fixture.bank.returnPayout(id);
    await sweepBankReturns(fixture.context);
    expect((await fixture.see(id)).state).toBe('payout_failed');
    expect(await nameAnotherAccount(id)).toMatchObject({ state: 'captured' });
    await fixture.run(id, 'payout');
    expect((await fixture.see(id)).state).toBe('completed');
  });
});

describe('P: a pending refund of the dashboard when the payout is given up', () => {
  test('does not keep the rest of the charge with us for ever', async () => {
    const id = await desk.createRejected();
    const payment_intent = await fixture.intentId(id);
    fixture.stripe.setAccount({ uncoveredRefunds: 'pending' });
    await fixture.stripe.sdk.refunds.create({ payment_intent, amount: 100 });
    await syncPayment(fixture.context, id);
    fixture.stripe.setAccount({ uncoveredRefunds: 'pending' });
    await fixture.cancel(id);
    expect((await fixture.see(id)).state).toBe('refunding');
    fixture.later(30 * 86_400_000);
    for (const { kind } of await fixture.dueOperations(id)) await fixture.run(id, kind);
    const actions = (await actionsOf(id)).flatMap(([, ...names]) => names);
    expect([actions.filter((one) => one !== 'resolve'), await standingRefunds(id)]).not.toEqual([[], [100]]);
  });
});

describe('T: an order that the bank keeps pending', () => {
  test('is somebody’s task for as long as it has no result', async () => {
    const id = await fixture.create({ state: 'captured' });
    fixture.bank.setMode({ pendNext: 1 });
    await fixture.run(id, 'payout');
    const pollFor = async (days: number) => {
      for (let day = 0; day < days; day += 1) {
        fixture.later(86_400_000);
        await fixture.run(id, 'payout');
      }
    };
    await pollFor(2);
    expect(await fixture.openCases(id)).toEqual(['operation_slow']);
    await desk.act(id, 'resolve');
    await pollFor(30);
    expect((await fixture.see(id)).state).toBe('captured');
    expect(await fixture.openCases(id)).not.toEqual([]);
  });
});

/** A context in which Stripe lists every refund that succeeded as pending. */
function _asPending() {
  const { stripe } = fixture.context;
  const list = async (query: never) => {
    const page = await stripe.refunds.list(query);
    return { ...page, data: page.data.map((one) => ({ ...one, status: 'pending' })) };
  };
  const refunds = { list, create: stripe.refunds.create.bind(stripe.refunds) };
  return { ...fixture.context, stripe: Object.assign(Object.create(stripe), { refunds }) };
}

/** A transfer whose money goes back, and whose refund Stripe refused. */
async function _createUnrefundable(outsideMinor?: number) {
  const id = await desk.createRejected();
  const payment_intent = await fixture.intentId(id);
  if (outsideMinor) {
    await fixture.stripe.sdk.refunds.create({ payment_intent, amount: outsideMinor });
    await syncPayment(fixture.context, id);
  }
  await fixture.cancel(id);
  fixture.stripe.failNext({ kind: 'error', status: 400, path: '^/v1/refunds$', method: 'POST' });
  await fixture.run(id, 'refund');
  expect(await fixture.openCases(id)).toContain('operation_refused');
  return id;
}

describe('Z: two disputes of one charge', () => {
  test('the answer to one is not taken for that to the other', async () => {
    const id = await complaints.createPaidByCard();
    const intentId = await fixture.intentId(id);
    const first = fixture.stripe.openDispute(intentId, { amount: 1_000 });
    const second = fixture.stripe.openDispute(intentId, { amount: 8_000 });
    await syncDisputes(fixture.context, id);
    const asked = { disputeId: second.id, adminId: desk.ana, text: 'winning_evidence', at: fixture.now };
    await fixture.database.transaction((em) => submitDisputeEvidence(em, asked));
    // A colleague answers the other one in Stripe's dashboard, and its event comes first.
    await fixture.stripe.sdk.disputes.update(first.id, {
      evidence: { uncategorized_text: 'winning_evidence' },
      submit: true,
    });
    await syncDisputes(fixture.context, id);
    await fixture.run(id, 'dispute_response');
    const { evidence_details } = await fixture.stripe.sdk.disputes.retrieve(second.id);
    expect(evidence_details.submission_count).toBe(1);
  });
});

describe('F: the rest of a blocked sender’s transfer', () => {
  test('leaves an action where the card’s bank took a part of the charge', async () => {
    const id = await complaints.createPaidByCard();
    const { id: disputeId } = fixture.stripe.openDispute(await fixture.intentId(id), { amount: 100 });
    await syncDisputes(fixture.context, id);
    fixture.stripe.decideDispute(disputeId, 'lost');
    await syncDisputes(fixture.context, id);
    await desk.act(id, 'resolve', { caseId: await caseIdOf(id, 'dispute_lost') }).catch(() => null);
    const { userId } = await fixture.see(id);
    const block = (blocked: boolean) =>
      fixture.database.transaction((em) =>
        setBlocked(em, { userId, blocked, reason: 'Tarjeta robada', adminId: desk.ana, at: fixture.now }),
      );
    await block(true);
    fixture.bank.returnPayout(id, { amount: '500.00' });
    await sweepBankReturns(fixture.context);
    const caseId = await caseIdOf(id, 'payout_returned_in_part');
    const requested = await desk.act(id, 'release_hold', { caseId });
    await desk.decide(requested.request?.id ?? '', desk.luis);
    const actions = await actionsOf(id);
    await block(false);
    expect(actions.flatMap(([, ...names]) => names)).not.toEqual([]);
  });
});

describe('AE: an order about the rest, or of a report, that the bank never answered', () => {
  /** The bank is silent until the attempts are used up; then an admin closes the case about it. */
  async function abandonAndResolve(id: string) {
    await fixture.database.fork().nativeUpdate(ProviderCircuit, {}, { failures: 0, openUntil: null });
    fixture.bank.failNext({ kind: 'drop', path: '^/bank/', times: 40 });
    const payout = (await fixture.operations(id, 'payout')).at(-1);
    const last = { attempts: maxAttempts - 1 };
    await fixture.database.fork().nativeUpdate(Operation, { id: payout?.id ?? '' }, last);
    await fixture.run(id, 'payout');
    fixture.bank.clearFaults();
    await fixture.database.fork().nativeUpdate(ProviderCircuit, {}, { failures: 0, openUntil: null });
    expect((await fixture.operations(id, 'payout')).at(-1)).toMatchObject({ status: 'abandoned' });
    await desk.act(id, 'resolve', { caseId: await caseIdOf(id, 'operation_abandoned') }).catch(() => null);
  }

  test('leaves an action in the case about the rest', async () => {
    const id = await complaints.createPaidByCard();
    fixture.bank.returnPayout(id, { amount: '500.00' });
    await sweepBankReturns(fixture.context);
    await desk.act(id, 'pay_rest');
    await abandonAndResolve(id);
    expect((await actionsOf(id)).flatMap(([, ...names]) => names)).not.toEqual([]);
  });

  test('leaves an action in its report or a case', async () => {
    const id = await complaints.createPaidByCard();
    const report = await complaints.report(id, 'wrong_amount');
    await complaints.conclude(report.id, { remedy: 'pay_again', payout: 10_000n });
    await complaints.approve(report.id);
    await abandonAndResolve(id);
    const { state, actions } = await complaints.view(report.id);
    expect([state, actions, await actionsOf(id)]).not.toEqual(['correcting', [], []]);
  });
});
