import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { maxAttempts } from '#core/operations/operation';
import { setBlocked } from '../accounts/account-oversight.repository.ts';
import { type Dispute, findDisputes } from '../disputes/dispute.repository.ts';
import { collectEvidence } from '../disputes/evidence.ts';
import { submitDisputeEvidence } from '../disputes/respond.ts';
import { syncDisputes } from '../disputes/sync-disputes.ts';
import { Email } from '../notifications/email.entity.ts';
import { emailTextOf } from '../notifications/email-templates.ts';
import { syncFraudWarnings } from '../payments/fraud-warnings.ts';
import { syncPayment } from '../payments/sync-payment.ts';
import { sweepBankReturns } from '../payouts/sweep-bank-returns.ts';
import { useComplaintFixture } from '../testing/complaint-fixture.ts';
import { testTarget } from '../testing/transfers.ts';
import { correctAccount } from '../transfers/correct-account.ts';
import { expireCorrections } from '../transfers/expire-corrections.ts';
import { readReceiptFacts } from '../transfers/receipt.ts';
import { confirmReceived, readTracking, shareTransfer } from '../transfers/tracking.ts';
import { toTransferView } from '../transfers/transfer-views.ts';
import { viewCase } from './desk.ts';
import { Operation, ProviderCircuit } from './operation.entity.ts';
import { runOperation } from './run-operation.ts';

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
const share = async (id: string) => {
  const { userId } = await fixture.see(id);
  return fixture.database.transaction((em) => shareTransfer(em, { userId, transferId: id, at: fixture.now }));
};

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

describe('Q: letters about reports', () => {
  test('do not say that the family has the money when it went back to the sender', async () => {
    const id = await desk.createRejected();
    await complaints.fromUnitedStates(id);
    const report = await complaints.report(id, 'not_received');
    await complaints.conclude(report.id, { remedy: 'pay_again' });
    await fixture.cancel(id);
    await fixture.run(id, 'refund');
    expect((await fixture.see(id)).state).toBe('refunded');
    const letters = await fixture.database
      .fork()
      .execute<{ text: string }[]>('select texts::text as text from complaint_letter where complaint_id = ?', [
        report.id,
      ]);
    expect(letters.map(({ text }) => text).join(' ')).not.toContain('Your family has the money');
  });
});

describe('R: what is shown after the bank returned a payment', () => {
  test('the tracking page does not say that all was deposited when a part came back', async () => {
    const id = await complaints.createPaidByCard();
    const { token } = await share(id);
    fixture.bank.returnPayout(id, { amount: '1000.00' });
    await sweepBankReturns(fixture.context);
    const { status, bolivianos } = await readTracking(fixture.database.fork(), token);
    expect([status, bolivianos]).not.toEqual(['deposited', '1291.17']);
  });

  test('the receipt does not date the deposit with one that came back', async () => {
    const id = await complaints.createPaidByCard();
    const { userId } = await fixture.see(id);
    fixture.later(86_400_000);
    fixture.bank.returnPayout(id);
    await sweepBankReturns(fixture.context);
    await nameAnotherAccount(id);
    fixture.later(5 * 86_400_000);
    await fixture.run(id, 'payout');
    expect((await fixture.see(id)).state).toBe('completed');
    const sender = { id: userId, name: 'Lucía', email: 'l@x.bo' };
    const { completedAt } = await readReceiptFacts(fixture.database.fork(), { sender, transferId: id });
    const deposit = (await fixture.history(id)).findLast(({ state }) => state === 'completed')?.at;
    expect(completedAt).toBe(deposit?.toISOString());
  });

  test('nobody is told that the family confirmed a deposit that came back', async () => {
    const id = await complaints.createPaidByCard();
    const { token } = await share(id);
    await fixture.database.transaction((em) => confirmReceived(em, token, fixture.now));
    fixture.later(86_400_000);
    fixture.bank.returnPayout(id);
    await sweepBankReturns(fixture.context);
    await nameAnotherAccount(id);
    await fixture.run(id, 'payout');
    const view = await toTransferView(fixture.database.fork(), await fixture.see(id), fixture.now);
    expect([view.state, view.receivedAt]).toEqual(['completed', null]);
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

describe('U: an earlier refund that comes back after a later one succeeded', () => {
  test('is told to the sender', async () => {
    const id = await desk.createRejected();
    const payment_intent = await fixture.intentId(id);
    const outside = await fixture.stripe.sdk.refunds.create({ payment_intent, amount: 6_000 });
    await syncPayment(fixture.context, id);
    await fixture.cancel(id);
    await fixture.run(id, 'refund');
    expect((await fixture.see(id)).state).toBe('refunded');
    fixture.stripe.failRefund(outside.id);
    await syncPayment(fixture.context, id);
    const transfer = await fixture.see(id);
    expect(transfer).toMatchObject({ state: 'refunding', returnedMinor: 4_000n });
    const emails = await fixture.database.fork().find(Email, { userId: transfer.userId, kind: 'refund_failed' });
    const view = await toTransferView(fixture.database.fork(), transfer, fixture.now);
    expect([emails.filter(({ data }) => JSON.stringify(data).includes(id)).length, view.refund?.state]).toEqual([
      1,
      'failed',
    ]);
  });
});

describe('W: a sender who may not name another account', () => {
  test('is not reminded to name one', async () => {
    const id = await fixture.create({ state: 'captured', paymentMethod: 'pm_card_createIssuerFraudRecord' });
    fixture.bank.setMode({ rejectNext: 1 });
    await fixture.run(id, 'payout');
    expect((await fixture.see(id)).state).toBe('payout_failed');
    await fixture.stripe.idle();
    await syncFraudWarnings(fixture.context, id);
    expect(await nameAnotherAccount(id).catch(({ code }) => code)).toBe('account_not_correctable');
    fixture.later(2 * 86_400_000);
    await expireCorrections(fixture.context);
    const emails = await fixture.database.fork().find(Email, { key: { $like: `account_reminder-${id}%` } });
    const view = await toTransferView(fixture.database.fork(), await fixture.see(id), fixture.now);
    expect([emails.length, view.correctAccountBy]).toEqual([0, null]);
  });
});

/** A context in which Stripe lists every refund that succeeded as pending. */
function asPending() {
  const { stripe } = fixture.context;
  const list = async (query: never) => {
    const page = await stripe.refunds.list(query);
    return { ...page, data: page.data.map((one) => ({ ...one, status: 'pending' })) };
  };
  const refunds = { list, create: stripe.refunds.create.bind(stripe.refunds) };
  return { ...fixture.context, stripe: Object.assign(Object.create(stripe), { refunds }) };
}

/** A transfer whose money goes back, and whose refund Stripe refused. */
async function createUnrefundable(outsideMinor?: number) {
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

describe('V: a refund by card and by hand', () => {
  test('is not told as if all of it had been paid by hand', async () => {
    const id = await createUnrefundable(4_000);
    await desk.report(await desk.reserve(id, 'refund_by_hand', { caseId: await caseIdOf(id, 'operation_refused') }), {
      amount: '60.00',
      bankReference: 'TRF-60',
    });
    expect((await fixture.see(id)).state).toBe('refunded');
    const { userId } = await fixture.see(id);
    const emails = await fixture.database.fork().find(Email, { userId, kind: 'transfer_refunded' });
    const mine = emails.filter(({ data }) => JSON.stringify(data).includes(id));
    const { subject, paragraphs } = emailTextOf('transfer_refunded', mine.at(-1)?.data as never, 'en');
    // 40.00 EUR of it went to the card.
    expect([subject, ...paragraphs].join(' ')).not.toContain(
      'We refunded all EUR 100.00 of your transfer, including the fee. We paid it by bank transfer and not to your card.',
    );
  });
});

describe('Y: evidence for the card’s bank', () => {
  test.each([
    ['was never paid', async () => desk.createRejected()],
    [
      'was returned',
      async () => {
        const id = await complaints.createPaidByCard();
        fixture.bank.returnPayout(id);
        await sweepBankReturns(fixture.context);
        return id;
      },
    ],
    [
      'was returned in part',
      async () => {
        const id = await complaints.createPaidByCard();
        fixture.bank.returnPayout(id, { amount: '1000.00' });
        await sweepBankReturns(fixture.context);
        return id;
      },
    ],
  ] as const)('does not say that the family has the money when it %s', async (_, create) => {
    const id = await create();
    fixture.stripe.openDispute(await fixture.intentId(id));
    await syncDisputes(fixture.context, id);
    const [dispute] = await findDisputes(fixture.database.fork(), id);
    const { product } = await collectEvidence(fixture.database.fork(), fixture.context.stripe, dispute as Dispute);
    expect(product).not.toContain('1291.17 BOB paid to');
  });
});

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

describe('AB: a correction of which only a part was left to return', () => {
  test('is not told as if all of it had been returned', async () => {
    const id = await complaints.createPaidByCard();
    const report = await complaints.report(id);
    await complaints.conclude(report.id, { remedy: 'refund', amount: 6_000n });
    await complaints.approve(report.id);
    await fixture.stripe.sdk.refunds.create({ payment_intent: await fixture.intentId(id), amount: 8_000 });
    for (let step = 0; step < 3; step += 1) {
      fixture.later(60_000);
      for (const one of await fixture.dueOperations(id)) await runOperation(fixture.context, one.id);
    }
    expect((await standingRefunds(id)).toSorted()).toEqual([2_000, 8_000]);
    const letters = await fixture.database
      .fork()
      .execute<{ text: string }[]>('select texts::text as text from complaint_letter where complaint_id = ?', [
        report.id,
      ]);
    expect(letters.map(({ text }) => text).join(' ')).not.toContain('We returned EUR 60.00 to your card');
  });
});

describe('AD: a refund that fails after one of the dashboard had failed', () => {
  test('is told to the sender', async () => {
    const id = await desk.createRejected();
    const payment_intent = await fixture.intentId(id);
    const outside = await fixture.stripe.sdk.refunds.create({ payment_intent, amount: 4_000 });
    await syncPayment(fixture.context, id);
    fixture.stripe.failRefund(outside.id);
    await syncPayment(fixture.context, id);
    await fixture.cancel(id);
    await fixture.run(id, 'refund', asPending());
    const { data } = await fixture.stripe.sdk.refunds.list({ payment_intent });
    fixture.stripe.failRefund(data[0]?.id ?? '');
    await syncPayment(fixture.context, id);
    const { state, userId } = await fixture.see(id);
    expect(state).toBe('refunding');
    expect((await fixture.operations(id, 'refund')).map(({ status }) => status)).toEqual(['failed', 'failed']);
    const emails = await fixture.database.fork().find(Email, { userId, kind: 'refund_failed' });
    expect(emails.filter(({ data }) => JSON.stringify(data).includes(id))).toHaveLength(1);
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
