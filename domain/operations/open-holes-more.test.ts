import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { maxAttempts } from '#core/operations/operation';
import { correctComplaint } from '../complaints/conclude.ts';
import { sweepComplaints } from '../complaints/sweep-complaints.ts';
import { type Dispute, findDisputes } from '../disputes/dispute.repository.ts';
import { collectEvidence } from '../disputes/evidence.ts';
import { syncDisputes } from '../disputes/sync-disputes.ts';
import { Email } from '../notifications/email.entity.ts';
import { emailTextOf } from '../notifications/email-templates.ts';
import { syncFraudWarnings } from '../payments/fraud-warnings.ts';
import { syncRefunds } from '../payments/refund.ts';
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
import { Operation } from './operation.entity.ts';
import { runOperation } from './run-operation.ts';

const complaints = useComplaintFixture();
const { desk, payments: fixture } = complaints;
afterEach(() => {
  fixture.bank.setMode({});
  fixture.stripe.setAccount({ uncoveredRefunds: 'none' });
});

const _actionsOf = async (id: string) => {
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

describe('M: an older reading of refunds', () => {
  test('does not take back that a refund succeeded', async () => {
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

  test('nor of a correction', async () => {
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

describe('N: what is attempted later while a refund of the dashboard is pending', () => {
  test('is not taken for done when that one succeeds', async () => {
    const id = await complaints.createPaidByCard();
    const report = await complaints.report(id);
    await complaints.conclude(report.id, { remedy: 'refund', amount: 250n });
    const payment_intent = await fixture.intentId(id);
    await fixture.stripe.sdk.refunds.create({ payment_intent, amount: 100 });
    const { stripe } = fixture.context;
    // As Stripe lists one that it has not finished.
    const list = async (query: never) => {
      const page = await stripe.refunds.list(query);
      return { ...page, data: page.data.map((one) => ({ ...one, status: 'pending' })) };
    };
    const refunds = { list, create: stripe.refunds.create.bind(stripe.refunds) };
    const pending = { ...fixture.context, stripe: Object.assign(Object.create(stripe), { refunds }) };
    fixture.stripe.setAccount({ uncoveredRefunds: 'refused' });
    await fixture.run(id, 'refund', pending);
    const [first] = await fixture.operations(id, 'refund');
    await runOperation(pending, first?.id ?? '');
    fixture.stripe.setAccount({ uncoveredRefunds: 'none' });
    await syncPayment(fixture.context, id);
    for (let step = 0; step < 3; step += 1) {
      fixture.later(3 * 3_600_000);
      for (const one of await fixture.dueOperations(id)) await runOperation(fixture.context, one.id);
      await syncPayment(fixture.context, id);
    }
    const { state } = await complaints.view(report.id);
    expect([state, (await standingRefunds(id)).includes(250)]).not.toEqual(['closed', false]);
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

describe('C: an abandoned correction that is attempted again', () => {
  test('is weighed against what another report has given since', async () => {
    const id = await complaints.createPaidByCard();
    const first = await complaints.report(id, 'wrong_amount');
    await complaints.conclude(first.id, { remedy: 'refund', amount: 9_000n });
    await complaints.approve(first.id);
    const [refund] = await fixture.operations(id, 'refund');
    await fixture.database.fork().nativeUpdate(Operation, { id: refund?.id ?? '' }, { attempts: maxAttempts - 1 });
    // Stripe never gets it.
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
    // One admin, without any second person.
    await correctComplaint(fixture.database, complaints.by(first.id)).catch(() => undefined);
    await fixture.run(id, 'refund');
    const paid = fixture.payouts(id).filter(({ status }) => status === 'paid').length;
    expect([paid, await standingRefunds(id)]).not.toEqual([2, [9_000]]);
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

describe('X: a pending refund of the dashboard', () => {
  test('counts before the sender is paid back by hand', async () => {
    const id = await createUnrefundable();
    await fixture.stripe.sdk.refunds.create({ payment_intent: await fixture.intentId(id), amount: 4_000 });
    await syncRefunds(asPending(), await fixture.see(id));
    expect((await fixture.operations(id, 'refund')).map(({ status }) => status)).toEqual(['failed', 'in_flight']);
    const caseId = await caseIdOf(id, 'operation_refused');
    // One admin.
    await desk
      .reserve(id, 'refund_by_hand', { caseId })
      .then((requestId) => desk.report(requestId, { amount: '100.00' }))
      .catch(() => undefined);
    await syncPayment(fixture.context, id);
    const refunds = await fixture.operations(id, 'refund');
    const back = refunds.reduce((sum, one) => (one.status === 'succeeded' ? sum + one.amountMinor : sum), 0n);
    expect(back).toBeLessThanOrEqual(10_000n);
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

describe('AC: the fee of two reports', () => {
  test('goes back once', async () => {
    const id = await desk.createRejected();
    await complaints.fromUnitedStates(id);
    for (const reason of ['late', 'not_received'] as const) {
      const report = await complaints.report(id, reason);
      // One admin each time.
      await complaints.conclude(report.id, { remedy: 'pay_again' });
    }
    await nameAnotherAccount(id);
    await fixture.run(id, 'payout');
    expect((await fixture.see(id)).state).toBe('completed');
    for (let step = 0; step < 3; step += 1) {
      for (const one of await fixture.dueOperations(id)) await runOperation(fixture.context, one.id);
      await sweepComplaints(fixture.context);
    }
    expect(await standingRefunds(id)).toEqual([350]);
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
