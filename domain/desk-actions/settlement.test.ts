import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { dayMs } from '#core/time/time';
import { createTestUser } from '../../testing/accounts.ts';
import { refundByHand, refusal, useDeskFixture } from '../../testing/desk-fixture.ts';
import { company } from '../../testing/email-samples.ts';
import { attemptNow } from '../../testing/operations.ts';
import { openCase } from '../desk/desk-case.repository.ts';
import { DeskProof, DeskRequest } from '../desk/desk-request.entity.ts';
import { Email } from '../emails/email.entity.ts';
import { renderEmail } from '../emails/email-templates.ts';
import { applyRefunds, syncRefunds } from '../payments/refund.ts';
import { syncDisputes } from '../payments/sync-disputes.ts';
import { syncPayment } from '../payments/sync-payment.ts';
import { correctAccount } from '../payouts/correct-account.ts';
import { expireCorrections } from '../payouts/expire-corrections.ts';
import { Operation } from '../provider-calls/operation.entity.ts';
import { findOperations, updateOperation } from '../provider-calls/operation.repository.ts';
import { toTransferView } from '../transfer-views/transfer-views.ts';
import { postRefundReversal } from '../transfers/ledger.repository.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { rereadTransfer } from '../transfers/transfer.repository.ts';
import { viewCase } from './desk.ts';

const desk = useDeskFixture();
const { payments: fixture } = desk;
const now = fixture.now;
beforeEach(() => {
  fixture.now = now;
});
afterEach(() => fixture.stripe.clearFaults());

/** Amount from which a second person is needed: every transfer of the fixture. */
const large = { twoPersonsUsdMinor: 0n };
const stateOf = async (id: string) => (await fixture.see(id)).state;
const requestOf = (id: string) => fixture.database.fork().findOneOrFail(DeskRequest, { id });
const paidByHand = {
  ...{ 'bank BOB': '129117', 'card_processor EUR': '-10000', 'exchange BOB': '-129117' },
  ...{ 'exchange EUR': '9650', 'fee_income EUR': '350' },
};

/** Refunds the whole charge in Stripe's dashboard, and handles the event. */
async function refundOutside(id: string): Promise<void> {
  await fixture.stripe.sdk.refunds.create({ payment_intent: await fixture.intentId(id) });
  await syncPayment(fixture.context, id);
}

/** Makes a successful refund fail later. */
async function comeBack(id: string): Promise<void> {
  await fixture.database.transaction(async (em) => {
    const transfer = await rereadTransfer(em, id);
    const [refund] = await findOperations(em, id, 'refund');
    if (!refund) throw new Error('there is no refund');
    await updateOperation(em, refund, { status: 'failed' }, fixture.now);
    await postRefundReversal(em, transfer, refund, fixture.now);
    await applyRefunds(em, transfer, fixture.now);
  });
}

async function dispute(id: string, decision?: 'won' | 'lost'): Promise<void> {
  const { id: disputeId } = fixture.stripe.openDispute(await fixture.intentId(id));
  await syncDisputes(fixture.context, id);
  if (!decision) return;
  fixture.stripe.decideDispute(disputeId, decision);
  await syncDisputes(fixture.context, id);
}

/** Corrects the account, as the sender of a failed payout does. */
async function correct(id: string): Promise<unknown> {
  const { userId, recipientId } = await fixture.see(id);
  const rules = {
    ...{ newDeviceUsdMinor: 10n ** 9n, sessions: { stepUpMs: dayMs } },
    desk: { reviewTwoPersonsUsdMinor: 10n ** 9n },
  };
  return fixture.database.transaction((em) =>
    correctAccount(em, rules, {
      ...{ userId, provenAt: fixture.now, transferId: id, recipientId: recipientId ?? '', at: fixture.now },
    }),
  );
}

describe('a payout by hand', () => {
  it.each([
    ['refused', () => desk.createRefused()],
    ['rejected', () => desk.createRejected()],
  ])('after a %s payout is reserved, reported with its proof, and booked', async (_, create) => {
    const id = await create();
    const requestId = await desk.reserve(id);
    expect(await stateOf(id)).not.toBe('completed');
    const view = await desk.report(requestId);
    expect(view.transaction).toMatchObject({ state: 'completed', payout_reference: 'BNB-991' });
    expect(view).toMatchObject({ reason: 'settlement_by_hand', outcome: 'paid', request: null });
    expect(view.decided).toMatchObject([
      {
        action: 'pay_by_hand',
        has_proof: true,
        outcome: 'approved',
        decided_by: null,
        reason: 'Pagado por ventanilla',
      },
    ]);
    expect(await desk.payoutsOf(id)).toMatchObject([
      { provider: 'bank', status: 'failed' },
      { provider: 'manual', status: 'succeeded', providerReference: 'BNB-991', amountMinor: 129_117n },
    ]);
    expect(await fixture.balances(id)).toEqual(paidByHand);
    expect(await fixture.openCases(id)).toEqual([]);
    const stored = await fixture.database.fork().findOneOrFail(DeskProof, { transferId: id });
    expect(stored).toMatchObject({ name: 'comprobante.pdf', uploadedById: desk.ana });
    expect(stored.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(fixture.payouts(id).filter(({ status }) => status === 'paid')).toEqual([]);
  });

  it('blocks an unattempted payout as soon as the transfer is reserved', async () => {
    const id = await fixture.create({ state: 'captured' });
    await fixture.database.transaction((em) =>
      openCase(em, { transferId: id, reason: 'contradiction', at: fixture.now }),
    );
    const requestId = await desk.reserve(id);
    await fixture.run(id, 'payout');
    expect(fixture.payouts(id)).toEqual([]);
    expect(await desk.payoutsOf(id)).toMatchObject([{ status: 'in_flight', lastError: 'held: settlement_by_hand' }]);
    await desk.report(requestId);
    const [replaced] = await desk.payoutsOf(id);
    expect(replaced?.status).toBe('abandoned');
    await attemptNow(fixture.context, replaced?.id ?? '');
    expect(fixture.payouts(id)).toEqual([]);
    expect(await fixture.balances(id)).toEqual(paidByHand);
  });

  it('cannot be reserved while the bank may have paid, nor without a reason', async () => {
    const id = await desk.createRefused();
    await expect(desk.act(id, 'pay_by_hand', { reason: '' })).rejects.toEqual(refusal('invalid_input'));
    const [payout] = await desk.payoutsOf(id);
    const maybe = { status: 'unknown', attempts: 1, sentAt: fixture.now } as const;
    await fixture.database.fork().nativeUpdate(Operation, { id: payout?.id ?? '' }, maybe);
    await expect(desk.act(id, 'pay_by_hand')).rejects.toEqual(refusal('action_not_possible'));
    expect(await fixture.database.fork().count(DeskRequest, { transferId: id })).toBe(0);
  });

  it('is booked only with the exact reserved amount', async () => {
    const id = await desk.createRefused();
    const requestId = await desk.reserve(id);
    await expect(desk.report(requestId, { amount: '1291.16' })).rejects.toEqual(refusal('amount_differs'));
    expect(await fixture.database.fork().count(DeskProof, { transferId: id })).toBe(0);
    expect(await stateOf(id)).toBe('captured');
    await desk.report(requestId);
    await expect(desk.report(requestId)).rejects.toEqual(refusal('already_decided'));
  });

  it('notifies the other admins when reserved and blocks every other movement', async () => {
    const id = await desk.createRejected();
    const view = await desk.act(id, 'pay_by_hand', large);
    expect(view).toMatchObject({ actions: [], request: { reserved: true, requested_by: 'Ana', amount: '1291.17' } });
    for (const action of ['give_up_and_refund', 'pay_by_hand', 'retry'] as const) {
      const { id: caseId } = view;
      const wanted = desk.act(id, action, { adminId: desk.luis, caseId });
      await expect(wanted).rejects.toEqual(refusal('request_pending'));
    }
    // A reservation needs no second person.
    const requestId = view.request?.id ?? '';
    const mails = fixture.database.fork().find(Email, { key: { $like: `desk_request_waiting-${requestId}%` } });
    expect(await mails).toEqual([]);
    await expect(desk.decide(requestId, desk.luis)).rejects.toEqual(refusal('action_not_possible'));
  });
});

describe('a refund by hand', () => {
  it('refunds the amount owed, books it as paid by our bank and closes the case', async () => {
    const id = await desk.createUnrefunded();
    const requestId = await desk.reserve(id, 'refund_by_hand');
    const cheaper = desk.report(requestId, { ...refundByHand, amount: '99.99' });
    await expect(cheaper).rejects.toEqual(refusal('amount_differs'));
    const view = await desk.report(requestId, refundByHand);
    expect(view.transaction.state).toBe('refunded');
    expect(await fixture.openCases(id)).toEqual([]);
    expect(await fixture.operations(id, 'refund')).toMatchObject([
      { provider: 'stripe', status: 'failed' },
      { provider: 'manual', status: 'succeeded', amountMinor: 10_000n, providerReference: 'BNB-991' },
    ]);
    expect(await fixture.balances(id)).toEqual({ 'bank EUR': '10000', 'card_processor EUR': '-10000' });
    await syncPayment(fixture.context, id);
    expect(await stateOf(id)).toBe('refunded');
  });

  it('cannot be reserved while the refund is under way', async () => {
    const id = await desk.createRejected();
    await desk.act(id, 'give_up_and_refund');
    await fixture.database.transaction((em) =>
      openCase(em, { transferId: id, reason: 'contradiction', at: fixture.now }),
    );
    await expect(desk.act(id, 'refund_by_hand')).rejects.toEqual(refusal('action_not_possible'));
  });

  it('blocks another refund while it is reserved', async () => {
    const id = await desk.createUnrefunded();
    await desk.reserve(id, 'refund_by_hand');
    const { id: caseId } = await fixture
      .cases(id)
      .then((cases) => cases.find((one) => one.reason === 'refund_failed') ?? { id: '' });
    await expect(desk.act(id, 'retry', { caseId, adminId: desk.luis })).rejects.toEqual(refusal('request_pending'));
  });

  it('that is booked after a lost dispute returned the charge is our loss, with a case', async () => {
    const id = await desk.createUnrefunded();
    const requestId = await desk.reserve(id, 'refund_by_hand');
    await desk.report(requestId, { ...refundByHand, ...large });
    await dispute(id, 'lost');
    expect(await stateOf(id)).toBe('refunded');
    await desk.decide(requestId, desk.luis);
    expect(await fixture.balances(id)).toEqual({ 'bank EUR': '10000', 'loss EUR': '-10000' });
    expect(await fixture.see(id)).toMatchObject({ state: 'refunded', returnedMinor: 20_000n });
    expect(await fixture.openCases(id)).toEqual(['contradiction', 'dispute_lost']);
  });
});

describe('D1: a payout by hand with its request still waiting', () => {
  it('a) its sender cannot get a refund', async () => {
    const id = await desk.createRejected();
    const requestId = await desk.reserve(id);
    for (const step of ['reserved', 'reported'] as const) {
      if (step === 'reported') await desk.report(requestId, large);
      const { outcome } = await fixture.cancel(id);
      expect(outcome).toEqual({ kind: 'refused', code: 'settlement_in_progress' });
      const seen = await toTransferView(fixture.database.fork(), await fixture.see(id), fixture.now);
      expect(seen).toMatchObject({ cancellable: false, correctAccountBy: null });
    }
    await desk.decide(requestId, desk.luis);
    expect(await stateOf(id)).toBe('completed');
    expect(await fixture.balances(id)).toEqual(paidByHand);
    expect(await fixture.operations(id, 'refund')).toEqual([]);
  });

  it('b) its sender cannot correct the account', async () => {
    const id = await desk.createRejected();
    const requestId = await desk.reserve(id);
    await expect(correct(id)).rejects.toEqual(refusal('settlement_in_progress'));
    await desk.report(requestId, large);
    await expect(correct(id)).rejects.toEqual(refusal('settlement_in_progress'));
    await desk.decide(requestId, desk.luis);
    expect(await fixture.balances(id)).toEqual(paidByHand);
    expect(fixture.payouts(id).filter(({ status }) => status === 'paid')).toEqual([]);
  });

  it('the deadline does not cause a refund', async () => {
    const id = await desk.createRejected();
    await desk.reserve(id);
    fixture.now = new Date(now.getTime() + 9 * dayMs);
    await expireCorrections(fixture.context);
    expect(await stateOf(id)).toBe('payout_failed');
  });
});

describe('N6: a payout by hand that waits during a dispute', () => {
  it('is booked while the dispute is open, and losing it is then our loss', async () => {
    const id = await desk.createRejected();
    const requestId = await desk.reserve(id);
    await desk.report(requestId, large);
    await dispute(id);
    await desk.decide(requestId, desk.luis);
    expect(await stateOf(id)).toBe('completed');
    expect(await fixture.balances(id)).toMatchObject({ 'bank BOB': '129117', 'disputed EUR': '-10000' });
    expect(await fixture.openCases(id)).toEqual(['dispute_opened']);
  });

  it('is booked after the dispute was lost: the payout was made, and the charge is our loss', async () => {
    const id = await desk.createRejected();
    const requestId = await desk.reserve(id);
    await desk.report(requestId, large);
    await dispute(id, 'lost');
    expect(await stateOf(id)).toBe('refunded');
    expect(await fixture.openCases(id)).toEqual(['dispute_lost', 'settlement_by_hand']);
    const view = await desk.decide(requestId, desk.luis);
    expect(view.transaction).toMatchObject({ state: 'completed', payout_reference: 'BNB-991', returned: '100.00' });
    expect(await fixture.balances(id)).toEqual({
      ...{ 'bank BOB': '129117', 'exchange BOB': '-129117', 'exchange EUR': '9650', 'fee_income EUR': '350' },
      'loss EUR': '-10000',
    });
    expect(await fixture.openCases(id)).toEqual(['dispute_lost']);
    expect((await fixture.steps(id)).at(-1)).toBe('book_hand_payout');
  });

  it('is booked after a partly lost dispute, with that part as our loss', async () => {
    const id = await desk.createRejected();
    const requestId = await desk.reserve(id);
    await desk.report(requestId, large);
    const { id: disputeId } = fixture.stripe.openDispute(await fixture.intentId(id), { amount: 4_000 });
    await syncDisputes(fixture.context, id);
    fixture.stripe.decideDispute(disputeId, 'lost');
    await syncDisputes(fixture.context, id);
    expect(await stateOf(id)).toBe('payout_failed');
    await desk.decide(requestId, desk.luis);
    expect(await fixture.balances(id)).toMatchObject({ 'bank BOB': '129117', 'loss EUR': '-4000' });
  });

  it('is booked after a full refund in Stripe’s dashboard', async () => {
    const id = await desk.createRejected();
    const requestId = await desk.reserve(id);
    await desk.report(requestId, large);
    await refundOutside(id);
    expect(await stateOf(id)).toBe('refunded');
    await desk.decide(requestId, desk.luis);
    expect(await fixture.balances(id)).toMatchObject({ 'bank BOB': '129117', 'loss EUR': '-10000' });
    expect(await fixture.openCases(id)).toEqual(['refund_outside']);
  });

  it('is our loss, with a case, if the bank turns out to have paid too', async () => {
    const id = await desk.createRefused();
    const requestId = await desk.reserve(id);
    await desk.report(requestId, large);
    const changes = { payoutReference: 'BNB-1' };
    await fixture.database.transaction((em) => moveTransfer(em, id, 'pay_out', { at: fixture.now, changes }));
    await desk.decide(requestId, desk.luis);
    expect(await fixture.see(id)).toMatchObject({ state: 'completed', payoutReference: 'BNB-1' });
    expect(await fixture.balances(id)).toEqual({ ...paidByHand, 'bank BOB': '258234', 'loss BOB': '-129117' });
    const [opened] = (await fixture.cases(id)).filter(({ resolvedAt }) => !resolvedAt);
    expect(opened).toMatchObject({
      reason: 'contradiction',
      details: 'paid by hand (BNB-991) and by the bank (BNB-1)',
    });
  });

  it('is booked without a loss while the money is owed to the sender again after a failed refund', async () => {
    const id = await desk.createRejected();
    const requestId = await desk.reserve(id);
    await desk.report(requestId, large);
    await refundOutside(id);
    await comeBack(id);
    expect(await stateOf(id)).toBe('refunding');
    await desk.decide(requestId, desk.luis);
    expect(await stateOf(id)).toBe('completed');
    expect(await fixture.balances(id)).toEqual(paidByHand);
  });

  it('reported after the dispute needs a second person for any amount', async () => {
    const id = await desk.createRejected();
    const requestId = await desk.reserve(id);
    await dispute(id);
    expect((await desk.report(requestId)).request).toMatchObject({ reserved: false, outcome: null });
    expect(await stateOf(id)).toBe('payout_failed');
    await desk.decide(requestId, desk.luis);
    expect(await stateOf(id)).toBe('completed');
  });
});

describe('a reservation without a payment', () => {
  it('is dropped by its author, and held operations resume', async () => {
    const id = await fixture.create({ state: 'captured' });
    await fixture.database.transaction((em) =>
      openCase(em, { transferId: id, reason: 'contradiction', at: fixture.now }),
    );
    const requestId = await desk.reserve(id);
    await fixture.run(id, 'payout');
    await expect(desk.drop(requestId, desk.luis)).rejects.toEqual(refusal('forbidden'));
    const view = await desk.drop(requestId);
    expect(view).toMatchObject({ outcome: 'settlement_dropped', request: null, decided: [{ outcome: 'dropped' }] });
    expect(await fixture.dueKinds(id)).toEqual(['payout']);
    await fixture.run(id, 'payout');
    await fixture.expectOutcome(id, 'completed');
    await expect(desk.report(requestId)).rejects.toEqual(refusal('already_decided'));
  });

  it('cannot be dropped once reported: its author also needs evidence and another person', async () => {
    const id = await desk.createRejected();
    const requestId = await desk.reserve(id);
    await desk.report(requestId, large);
    await expect(desk.drop(requestId)).rejects.toEqual(refusal('request_pending'));
    const { refutation } = await desk.refute(requestId, desk.ana);
    expect(refutation).toMatchObject({ action: 'refute', requested_by: 'Ana', has_proof: true });
    await expect(desk.decide(refutation?.id ?? '', desk.ana)).rejects.toEqual(refusal('own_request'));
    const view = await desk.decide(refutation?.id ?? '', desk.luis);
    expect(view).toMatchObject({ outcome: 'settlement_refuted', request: null, refutation: null });
    expect(await requestOf(requestId)).toMatchObject({ outcome: 'refuted', decidedById: null });
    expect(await stateOf(id)).toBe('payout_failed');
    await fixture.cancel(id);
    expect(await stateOf(id)).toBe('refunding');
  });
});

describe('a report that a colleague contests', () => {
  /** A large report by Ana that Luis refutes with evidence. */
  async function refuted() {
    const id = await desk.createRejected();
    const requestId = await desk.reserve(id);
    await desk.report(requestId, large);
    const { refutation } = await desk.refute(requestId);
    return { id, requestId, refutationId: refutation?.id ?? '' };
  }

  it('is refuted by two people, including its author', async () => {
    const { id, requestId, refutationId } = await refuted();
    await expect(desk.decide(refutationId, desk.luis)).rejects.toEqual(refusal('own_request'));
    await expect(desk.refute(requestId, desk.ana)).rejects.toEqual(refusal('request_pending'));
    await desk.decide(refutationId, desk.ana);
    expect(await requestOf(requestId)).toMatchObject({ outcome: 'refuted' });
    expect(await fixture.openCases(id)).toEqual(['payout_rejected']);
  });

  it('holds the transfer until the refutation is decided, and can be confirmed after that is declined', async () => {
    const { id, requestId, refutationId } = await refuted();
    const marta = (await createTestUser(fixture.database, { role: 'admin' })).id;
    await expect(desk.decide(requestId, marta)).rejects.toEqual(refusal('request_pending'));
    expect((await fixture.cancel(id)).outcome).toMatchObject({ kind: 'refused' });
    const view = await desk.decide(refutationId, marta, false);
    expect(view).toMatchObject({ refutation: null, request: { id: requestId, outcome: null } });
    await desk.decide(requestId, marta);
    expect(await stateOf(id)).toBe('completed');
  });

  it('notifies the other admins of the refutation, with its amount', async () => {
    const { refutationId } = await refuted();
    const mails = await fixture.database
      .fork()
      .find(Email, { key: { $like: `desk_request_waiting-${refutationId}%` } });
    expect(mails.map(({ userId }) => userId)).toContain(desk.ana);
    expect(mails.map(({ userId }) => userId)).not.toContain(desk.luis);
    expect(mails[0]?.data).toMatchObject({ requestedBy: 'Luis', amount: '1291.17', currency: 'BOB' });
  });

  it('after an earlier refutation needs a second person for any amount', async () => {
    const id = await desk.createRejected();
    const requestId = await desk.reserve(id);
    const { refutation } = await desk.refute(requestId);
    const { request, refutation: left } = await desk.report(requestId);
    expect([request?.outcome, left]).toEqual([null, null]);
    await expect(desk.decide(refutation?.id ?? '', desk.ana)).rejects.toEqual(refusal('request_ended'));
    await desk.decide(requestId, desk.luis);
    expect(await stateOf(id)).toBe('completed');
  });
});

test('another admin can report the payment of an absent colleague, and a third confirms it', async () => {
  const id = await desk.createRejected();
  const requestId = await desk.reserve(id);
  const reported = await desk.report(requestId, { ...large, adminId: desk.luis });
  expect(reported.request).toMatchObject({ requested_by: 'Luis', outcome: null });
  await expect(desk.decide(requestId, desk.luis)).rejects.toEqual(refusal('own_request'));
  await desk.decide(requestId, desk.ana);
  expect(await stateOf(id)).toBe('completed');
});

test('admins cannot settle their own transfer, and only settlements can be reported, dropped or refuted', async () => {
  const id = await desk.createRejected();
  const { userId } = await fixture.see(id);
  const requestId = await desk.reserve(id);
  const own = refusal('own_transfer');
  await expect(desk.report(requestId, { adminId: userId })).rejects.toEqual(own);
  await expect(desk.refute(requestId, userId)).rejects.toEqual(own);
  await expect(desk.drop(requestId, userId)).rejects.toEqual(own);
  const other = await desk.createRejected();
  const { request } = await desk.act(other, 'give_up_and_refund', large);
  for (const call of [desk.report, desk.refute, desk.drop])
    await expect(call.call(desk, request?.id ?? '')).rejects.toEqual(refusal('not_found'));
});

test('a concurrent confirmation and refutation run one after the other', async () => {
  const id = await desk.createRejected();
  const requestId = await desk.reserve(id);
  await desk.report(requestId, large);
  const results = await Promise.allSettled([desk.decide(requestId, desk.luis), desk.refute(requestId, desk.luis)]);
  const { outcome } = await requestOf(requestId);
  expect(results.map(({ status }) => status)).toEqual(
    outcome === 'approved' ? ['fulfilled', 'rejected'] : ['rejected', 'fulfilled'],
  );
  expect(await stateOf(id)).toBe(outcome === 'approved' ? 'completed' : 'payout_failed');
});

test('the database rejects booking a settlement without its proof', async () => {
  const id = await desk.createRejected();
  const requestId = await desk.reserve(id);
  const book = fixture.database
    .fork()
    .execute(`update desk_request set outcome = 'done', decided_at = now() where id = ?`, [requestId]);
  await expect(book).rejects.toThrow('desk_request_settlement_check');
  expect(
    (
      await viewCase(fixture.database.fork(), (await requestOf(requestId)).caseId ?? '', {
        viewerId: desk.ana,
        at: now,
      })
    ).request,
  ).toMatchObject({ reserved: true });
});

test('a pending refund in Stripe’s dashboard blocks a refund by hand', async () => {
  const id = await desk.createRejected();
  await fixture.cancel(id);
  fixture.stripe.failNext({ kind: 'error', status: 400, path: '^/v1/refunds$', method: 'POST' });
  await fixture.run(id, 'refund');
  await fixture.stripe.sdk.refunds.create({ payment_intent: await fixture.intentId(id), amount: 4_000 });
  const { stripe: real } = fixture.context;
  const list = async (query: never) => {
    const page = await real.refunds.list(query);
    return { ...page, data: page.data.map((one) => ({ ...one, status: 'pending' })) };
  };
  const stripe = Object.assign(Object.create(real), { refunds: { list } });
  await syncRefunds({ ...fixture.context, stripe }, await fixture.see(id));
  expect((await fixture.operations(id, 'refund')).map(({ status }) => status)).toEqual(['failed', 'in_flight']);
  await expect(desk.reserve(id, 'refund_by_hand')).rejects.toEqual(refusal('action_not_possible'));
});

test('the e-mail about a payout by hand does not mention the rejected account', async () => {
  const id = await desk.createRejected();
  await desk.settle(id, 'pay_by_hand');
  const { userId } = await fixture.see(id);
  const [email] = await fixture.database
    .fork()
    .find(Email, { userId, kind: 'transfer_paid', data: { transferId: id } });
  const reader = { name: null, publicUrl: 'https://chasqui.test', company } as const;
  for (const locale of ['es', 'en'] as const) {
    const { subject, text } = await renderEmail('transfer_paid', email?.data, { ...reader, locale });
    expect(`${subject} ${text}`).toContain('BNB-991');
    expect(`${subject} ${text}`).not.toMatch(/5678|deposit/i);
  }
});
