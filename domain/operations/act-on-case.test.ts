import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Failure } from '#core/contracts/failures';
import type { DeskAction } from '#core/operations/desk-action';
import { maxAttempts } from '#core/operations/operation';
import { dayMs } from '#core/time/time';
import { syncDisputes } from '../disputes/sync-disputes.ts';
import { Email } from '../notifications/email.entity.ts';
import { syncPayment } from '../payments/sync-payment.ts';
import { createTestUser } from '../testing/accounts.ts';
import { usePaymentFixture } from '../testing/payment-fixture.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { type Act, actOnCase, decideDeskRequest } from './act-on-case.ts';
import { noteCase, takeCase, viewCase } from './desk.ts';
import { DeskCase } from './desk-case.entity.ts';
import { openCase } from './desk-case.repository.ts';
import { DeskProof, DeskRequest } from './desk-request.entity.ts';
import { Operation } from './operation.entity.ts';
import { remindOfCases } from './remind-of-cases.ts';
import { runOperation } from './run-operation.ts';

const fixture = usePaymentFixture();
let ana: string;
let luis: string;

beforeAll(async () => {
  ana = (await createTestUser(fixture.database, { role: 'admin', name: 'Ana' })).id;
  luis = (await createTestUser(fixture.database, { role: 'admin', name: 'Luis' })).id;
});
afterEach(() => {
  fixture.bank.clearFaults();
  fixture.bank.setMode({});
  fixture.stripe.clearFaults();
});

const proof = { name: 'comprobante.pdf', type: 'application/pdf', bytes: Buffer.from('%PDF-1.7 pagado') } as const;
const byHand = { bankReference: 'BNB-991', amount: '1291.17', proof };
const refundByHand = { ...byHand, amount: '100.00' };

/** The open case of a transfer, or its last one. */
const caseOf = async (transferId: string): Promise<DeskCase> => {
  const cases = await fixture.database.fork().find(DeskCase, { transferId }, { orderBy: { openedAt: 'desc' } });
  const found = cases.find(({ resolvedAt }) => !resolvedAt) ?? cases[0];
  if (!found) throw new Error('the transfer has no case');
  return found;
};

/** What an admin does about the case of a transfer. */
async function act(transferId: string, action: DeskAction, overrides: Partial<Act> = {}) {
  return actOnCase(fixture.database, {
    ...{ caseId: (await caseOf(transferId)).id, adminId: ana, action, reason: 'Lo pidió el banco' },
    ...{ twoPersonsUsdMinor: 50_000n, at: fixture.now },
    ...overrides,
  });
}

const decide = (requestId: string, adminId: string, approve = true) =>
  decideDeskRequest(fixture.database, { requestId, adminId, approve, at: fixture.now });
const payoutsOf = (id: string) => fixture.operations(id, 'payout');
const refusal = (code: string) => expect.objectContaining({ code });

/** A charged transfer whose payout the bank called wrong. */
async function createRefused(): Promise<string> {
  const id = await fixture.create({ state: 'captured' });
  fixture.bank.failNext({ kind: 'error', status: 422, path: '^/bank/' });
  await fixture.run(id, 'payout');
  expect(await fixture.openCases(id)).toEqual(['operation_refused']);
  return id;
}

/** A charged transfer whose account the bank refused. */
async function createRejected(): Promise<string> {
  const id = await fixture.create({ state: 'captured' });
  fixture.bank.setMode({ rejectNext: 1 });
  await fixture.run(id, 'payout');
  expect(await fixture.openCases(id)).toEqual(['payout_rejected']);
  return id;
}

/** A charged transfer whose payout was given up without an answer. */
async function createAbandoned(): Promise<string> {
  const id = await fixture.create({ state: 'captured' });
  const [payout] = await payoutsOf(id);
  const given = { status: 'abandoned', attempts: maxAttempts, nextAttemptAt: null, lastError: 'no answer' } as const;
  await fixture.database.fork().nativeUpdate(Operation, { id: payout?.id ?? '' }, given);
  await fixture.database.transaction((em) =>
    openCase(em, {
      ...{ transferId: id, operationId: payout?.id ?? '', reason: 'operation_abandoned', details: 'no answer' },
      at: fixture.now,
    }),
  );
  return id;
}

/** A transfer whose card did not take the refund. */
async function createUnrefunded(): Promise<string> {
  const id = await fixture.create({ state: 'captured', paymentMethod: 'pm_card_refundFail' });
  fixture.bank.setMode({ rejectNext: 1, rejection: { code: 'refused', message: 'No.' } });
  await fixture.run(id, 'payout');
  await fixture.run(id, 'refund');
  fixture.stripe.advanceClock(86_400);
  await fixture.stripe.idle();
  await syncPayment(fixture.context, id);
  expect(await fixture.openCases(id)).toEqual(['refund_failed']);
  return id;
}

describe('a retry', () => {
  it('of a refused payout begins a new one, which the bank pays, and the case closes by itself', async () => {
    const id = await createRefused();
    expect((await act(id, 'retry', { reason: '' })).actions).toEqual(['give_up_and_refund', 'pay_by_hand']);
    expect(await payoutsOf(id)).toMatchObject([
      { status: 'failed', sequence: 1 },
      { status: 'pending', sequence: 2, attempts: 0 },
    ]);
    expect(await fixture.openCases(id)).toEqual(['operation_refused']);
    await fixture.run(id, 'payout');
    expect((await fixture.see(id)).state).toBe('completed');
    expect(await caseOf(id)).toMatchObject({ resolvedById: null, resolution: 'El dinero se pagó.' });
  });

  it('of an abandoned payout keeps its key, and does not make it certain that nobody was paid', async () => {
    const id = await createAbandoned();
    const [before] = await payoutsOf(id);
    await act(id, 'retry');
    expect(await payoutsOf(id)).toMatchObject([
      { status: 'unknown', attempts: 0, idempotencyKey: before?.idempotencyKey, nextAttemptAt: fixture.now },
    ]);
    for (const action of ['give_up_and_refund', 'pay_by_hand', 'retry'] as const) {
      await expect(act(id, action, byHand)).rejects.toEqual(refusal('action_not_possible'));
    }
    await fixture.run(id, 'payout');
    await fixture.expectOutcome(id, 'completed');
    expect(await fixture.openCases(id)).toEqual([]);
  });

  it('of a refund begins a new one of what is still owed, and the case stays open until a card takes it', async () => {
    const id = await createUnrefunded();
    await act(id, 'retry');
    expect(await fixture.operations(id, 'refund')).toMatchObject([
      { status: 'failed' },
      { status: 'pending', sequence: 2, amountMinor: 10_000n },
    ]);
    await fixture.run(id, 'refund');
    const refunds = (await fixture.stripe.sdk.refunds.list({ payment_intent: await fixture.intentId(id) })).data;
    expect(refunds).toHaveLength(2);
    // The card does not take this one either, which Stripe says a moment later.
    await fixture.stripe.idle();
    await syncPayment(fixture.context, id);
    expect(await fixture.openCases(id)).toEqual(['refund_failed']);
  });
});

describe('giving up and returning the money', () => {
  it.each([
    ['refused', createRefused],
    ['rejected', createRejected],
  ])('is possible after a %s payout; the refund follows and the books are even', async (_, create) => {
    const id = await create();
    const view = await act(id, 'give_up_and_refund');
    expect(view).toMatchObject({ resolution: 'El dinero se devuelve al remitente.', actions: [], request: null });
    expect(view.transaction.state).toBe('refunding');
    expect(await caseOf(id)).toMatchObject({ resolvedById: ana });
    await fixture.run(id, 'refund');
    expect((await fixture.see(id)).state).toBe('refunded');
    expect(await fixture.balances(id)).toEqual({});
  });

  it.each([
    ['in_flight', 1],
    ['unknown', 3],
    ['pending', 1],
  ] as const)('is impossible while the payout is %s after %i attempts', async (status, attempts) => {
    const id = await createRefused();
    const [payout] = await payoutsOf(id);
    await fixture.database.fork().nativeUpdate(Operation, { id: payout?.id ?? '' }, { status, attempts });
    for (const action of ['give_up_and_refund', 'pay_by_hand', 'resolve'] as const) {
      await expect(act(id, action, byHand)).rejects.toEqual(refusal('action_not_possible'));
    }
    expect((await fixture.see(id)).state).toBe('captured');
    expect(await fixture.database.fork().count(DeskRequest, { transferId: id })).toBe(0);
  });

  it('of an attempt that the worker begins at the same moment, one comes first', async () => {
    const id = await fixture.create({ state: 'captured' });
    await fixture.database.transaction((em) =>
      openCase(em, { transferId: id, reason: 'refund_outside', at: fixture.now }),
    );
    const [given] = await Promise.allSettled([act(id, 'give_up_and_refund'), fixture.run(id, 'payout')]);
    const { state } = await fixture.see(id);
    expect(state).toBe(given.status === 'fulfilled' ? 'refunding' : 'completed');
    expect(fixture.payouts(id)).toHaveLength(given.status === 'fulfilled' ? 0 : 1);
  });
});

describe('a payout by hand', () => {
  it.each([
    ['refused', createRefused],
    ['rejected', createRejected],
  ])(
    'after a %s payout completes the transfer with the proof, and the books say that the bank was paid',
    async (_, create) => {
      const id = await create();
      const view = await act(id, 'pay_by_hand', byHand);
      expect(view.transaction).toMatchObject({ state: 'completed', payout_reference: 'BNB-991' });
      expect(view.decided).toMatchObject([
        { action: 'pay_by_hand', has_proof: true, outcome: 'approved', decided_by: null },
      ]);
      expect(await payoutsOf(id)).toMatchObject([
        { provider: 'bank', status: 'failed' },
        { provider: 'manual', status: 'succeeded', providerReference: 'BNB-991', amountMinor: 129_117n },
      ]);
      expect(await fixture.balances(id)).toEqual({
        ...{ 'bank BOB': '129117', 'card_processor EUR': '-10000', 'exchange BOB': '-129117' },
        ...{ 'exchange EUR': '9650', 'fee_income EUR': '350' },
      });
      const stored = await fixture.database.fork().findOneOrFail(DeskProof, { transferId: id });
      expect(stored).toMatchObject({ name: 'comprobante.pdf', uploadedById: ana });
      expect(stored.sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(fixture.payouts(id).filter(({ status }) => status === 'paid')).toEqual([]);
    },
  );

  it('replaces a payout that was never attempted, which then is not made', async () => {
    const id = await fixture.create({ state: 'captured' });
    await fixture.database.transaction((em) =>
      openCase(em, { transferId: id, reason: 'contradiction', at: fixture.now }),
    );
    await act(id, 'pay_by_hand', byHand);
    expect(await payoutsOf(id)).toMatchObject([{ status: 'abandoned' }, { provider: 'manual', status: 'succeeded' }]);
    const [replaced] = await payoutsOf(id);
    await runOperation(fixture.context, replaced?.id ?? '');
    expect(fixture.payouts(id)).toEqual([]);
  });

  it.each([
    ['no proof', { proof: undefined }, 'proof_missing'],
    ['no reference', { bankReference: '' }, 'proof_missing'],
    ['no amount', { amount: undefined }, 'proof_missing'],
    ['a cent too little', { amount: '1291.16' }, 'amount_differs'],
    ['no reason', { reason: '' }, 'invalid_input'],
  ])('with %s is refused', async (_, wrong, code) => {
    const id = await createRefused();
    await expect(act(id, 'pay_by_hand', { ...byHand, ...wrong })).rejects.toEqual(refusal(code));
    expect((await fixture.see(id)).state).toBe('captured');
    expect(await fixture.database.fork().count(DeskProof, { transferId: id })).toBe(0);
  });
});

describe('a refund by hand', () => {
  it('returns what is owed, books it as paid by our bank and closes the case', async () => {
    const id = await createUnrefunded();
    const cheaper = act(id, 'refund_by_hand', { ...refundByHand, amount: '99.99' });
    await expect(cheaper).rejects.toEqual(refusal('amount_differs'));
    const withoutReference = act(id, 'refund_by_hand', { proof, amount: '100.00' });
    await expect(withoutReference).rejects.toEqual(refusal('proof_missing'));
    const view = await act(id, 'refund_by_hand', refundByHand);
    expect(view.transaction.state).toBe('refunded');
    expect(await fixture.openCases(id)).toEqual([]);
    expect(await fixture.operations(id, 'refund')).toMatchObject([
      { provider: 'stripe', status: 'failed' },
      { provider: 'manual', status: 'succeeded', amountMinor: 10_000n, providerReference: 'BNB-991' },
    ]);
    expect(await fixture.balances(id)).toEqual({ 'bank EUR': '10000', 'card_processor EUR': '-10000' });
    await syncPayment(fixture.context, id);
    expect((await fixture.see(id)).state).toBe('refunded');
  });

  it('is impossible while the refund is under way', async () => {
    const id = await createRejected();
    await act(id, 'give_up_and_refund');
    await fixture.database.transaction((em) =>
      openCase(em, { transferId: id, reason: 'contradiction', at: fixture.now }),
    );
    const wanted = act(id, 'refund_by_hand', refundByHand);
    await expect(wanted).rejects.toEqual(refusal('action_not_possible'));
  });
});

describe('a disputed charge', () => {
  it('is neither paid nor paid back by hand, and what the card’s bank decides is not closed by hand', async () => {
    const id = await createRefused();
    const { id: refused } = await caseOf(id);
    const { id: disputeId } = fixture.stripe.openDispute(await fixture.intentId(id));
    await syncDisputes(fixture.context, id);
    const viewer = { viewerId: ana, at: fixture.now };
    expect((await viewCase(fixture.database.fork(), refused, viewer)).actions).toEqual(['retry']);
    for (const action of ['pay_by_hand', 'give_up_and_refund'] as const) {
      await expect(act(id, action, { caseId: refused, ...byHand })).rejects.toEqual(refusal('action_not_possible'));
    }
    const disputed = await fixture.database
      .fork()
      .findOneOrFail(DeskCase, { transferId: id, reason: 'dispute_opened' });
    await expect(act(id, 'resolve', { caseId: disputed.id })).rejects.toEqual(refusal('action_not_possible'));
    fixture.stripe.decideDispute(disputeId, 'won');
    await syncDisputes(fixture.context, id);
    expect((await viewCase(fixture.database.fork(), refused, viewer)).actions).toContain('pay_by_hand');
  });
});

describe('two persons', () => {
  const limit = { twoPersonsUsdMinor: 11_000n };

  it('are needed from the configured amount on: nothing happens before a colleague approves', async () => {
    const id = await createRefused();
    const asked = await act(id, 'pay_by_hand', { ...byHand, ...limit });
    expect(asked).toMatchObject({ actions: [], request: { requested_by: 'Ana', has_proof: true, outcome: null } });
    expect(asked.request).toMatchObject({ amount: '1291.17', currency: 'BOB', bank_reference: 'BNB-991' });
    expect((await fixture.see(id)).state).toBe('captured');
    const requestId = asked.request?.id ?? '';
    const told = await fixture.database.fork().find(Email, { key: { $like: `desk_request_waiting-${requestId}%` } });
    expect(told.map(({ userId }) => userId)).toContain(luis);
    expect(told.map(({ userId }) => userId)).not.toContain(ana);
    expect(told[0]?.data).toMatchObject({ requestedBy: 'Ana', amount: '1291.17', currency: 'BOB' });
    await expect(act(id, 'give_up_and_refund', { adminId: luis })).rejects.toEqual(refusal('request_pending'));
    await expect(decide(requestId, ana)).rejects.toEqual(refusal('own_request'));
    const done = await decide(requestId, luis);
    expect(done.transaction).toMatchObject({ state: 'completed', payout_reference: 'BNB-991' });
    expect(done).toMatchObject({ request: null, decided: [{ decided_by: 'Luis', outcome: 'approved' }] });
    const again = await decide(requestId, luis).catch((error: Failure) => error);
    expect(again).toMatchObject({
      code: 'already_decided',
      details: { case: { request: null, resolution: 'El dinero se pagó.', decided: [{ decided_by: 'Luis' }] } },
    });
  });

  it('approve the amount that was asked for, or nothing once another one is owed', async () => {
    const id = await createRefused();
    const { request } = await act(id, 'give_up_and_refund', limit);
    expect(request).toMatchObject({ amount: '100.00', currency: 'EUR' });
    await fixture.stripe.sdk.refunds.create({ payment_intent: await fixture.intentId(id), amount: 4_000 });
    await syncPayment(fixture.context, id);
    await expect(decide(request?.id ?? '', luis)).rejects.toEqual(refusal('action_not_possible'));
    expect((await fixture.see(id)).state).toBe('captured');
    await decide(request?.id ?? '', luis, false);
    expect((await act(id, 'give_up_and_refund', limit)).request).toMatchObject({ amount: '60.00', currency: 'EUR' });
  });

  it('may disagree: the colleague declines, and another request can be made', async () => {
    const id = await createRefused();
    const asked = await act(id, 'give_up_and_refund', limit);
    const declined = await decide(asked.request?.id ?? '', luis, false);
    expect(declined.actions).toContain('give_up_and_refund');
    expect((await fixture.see(id)).state).toBe('captured');
    expect((await act(id, 'give_up_and_refund', limit)).request).not.toBeNull();
  });

  it('are needed for any amount once money of the transfer was moved before', async () => {
    const id = await createUnrefunded();
    const [refund] = await fixture.operations(id, 'refund');
    await fixture.database.fork().nativeUpdate(Operation, { id: refund?.id ?? '' }, { status: 'abandoned' });
    expect((await act(id, 'retry')).request).toBeNull();
    await fixture.run(id, 'refund');
    fixture.stripe.advanceClock(86_400);
    await fixture.stripe.idle();
    await syncPayment(fixture.context, id);
    const [first] = await fixture.database.fork().find(DeskRequest, { transferId: id });
    expect(first).toMatchObject({ movesMoney: true, outcome: 'done' });
    expect((await fixture.see(id)).state).toBe('refunding');
    const { request } = await act(id, 'refund_by_hand', refundByHand);
    expect(request).toMatchObject({ amount: '100.00', currency: 'EUR', bank_reference: 'BNB-991' });
  });

  it('who approve too late change nothing: conditions are checked again, and what was settled waits for nobody', async () => {
    const late = await createRefused();
    const { request } = await act(late, 'give_up_and_refund', limit);
    const [payout] = await payoutsOf(late);
    await fixture.database.fork().nativeUpdate(Operation, { id: payout?.id ?? '' }, { status: 'unknown' });
    await expect(decide(request?.id ?? '', luis)).rejects.toEqual(refusal('action_not_possible'));
    const settled = await createRejected();
    const asked = await act(settled, 'give_up_and_refund', limit);
    await fixture.database.transaction((em) => moveTransfer(em, settled, 'pay_again', { at: fixture.now }));
    await expect(decide(asked.request?.id ?? '', luis)).rejects.toEqual(refusal('already_decided'));
    expect(await fixture.openCases(settled)).toEqual([]);
    expect((await fixture.see(settled)).state).toBe('captured');
  });

  it('who act at the same moment: one comes first and the other is told', async () => {
    const id = await createRefused();
    const both = [act(id, 'give_up_and_refund'), act(id, 'pay_by_hand', { ...byHand, adminId: luis })];
    const results = await Promise.allSettled(both);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [lost] = results.filter((one) => one.status === 'rejected');
    expect(lost?.reason).toMatchObject({ code: 'case_resolved', details: { case: { actions: [] } } });
    expect(await fixture.database.fork().count(DeskRequest, { transferId: id })).toBe(1);
  });

  it('who approve at the same moment carry it out once', async () => {
    const id = await createRefused();
    const { request } = await act(id, 'give_up_and_refund', limit);
    const marta = (await createTestUser(fixture.database, { role: 'admin' })).id;
    const results = await Promise.allSettled([luis, marta].map((admin) => decide(request?.id ?? '', admin)));
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await fixture.operations(id, 'refund')).toHaveLength(1);
  });
});

describe('nobody acts about a transfer of their own', () => {
  it('neither asking nor deciding, and the database refuses it, too', async () => {
    const id = await createRefused();
    const { userId: sender } = await fixture.see(id);
    await expect(act(id, 'give_up_and_refund', { adminId: sender })).rejects.toEqual(refusal('own_transfer'));
    const { request, id: caseId } = await act(id, 'give_up_and_refund', { twoPersonsUsdMinor: 0n });
    await expect(decide(request?.id ?? '', sender)).rejects.toEqual(refusal('own_transfer'));
    const em = fixture.database.fork();
    expect((await viewCase(em, caseId, { viewerId: sender, at: fixture.now })).actions).toEqual([]);
    const own = (column: string, person: string) =>
      em.execute(
        `update desk_request set ${column} = ?, decided_by_id = coalesce(decided_by_id, ?), outcome = 'approved', decided_at = now() where id = ?`,
        [...[person, luis, request?.id ?? '']],
      );
    await expect(own('requested_by_id', sender)).rejects.toThrow('desk_request_own_transfer_check');
    await expect(own('requested_by_id', luis)).rejects.toThrow('desk_request_two_persons_check');
    // Whatever is written there, the sender is who the transfer says.
    await em.execute('update desk_request set sender_id = ? where id = ?', [ana, request?.id ?? '']);
    expect((await em.findOneOrFail(DeskRequest, { id: request?.id ?? '' })).senderId).toBe(sender);
  });
});

describe('the desk', () => {
  it('assigns and notes, and keeps the version of what changed', async () => {
    const id = await createRefused();
    const { id: caseId, version } = await caseOf(id);
    const viewer = { viewerId: ana, at: fixture.now };
    const taken = await takeCase(fixture.database, { caseId, mine: true, ...viewer });
    expect(taken).toMatchObject({ assigned_to: 'Ana', assigned_to_id: ana, version: version + 1 });
    const noted = await noteCase(fixture.database, { caseId, text: 'Llamé al banco.', ...viewer });
    expect(noted.notes).toMatchObject([{ text: 'Llamé al banco.', author: 'Ana' }]);
    const left = await takeCase(fixture.database, { caseId, mine: false, ...viewer });
    expect(left.assigned_to_id).toBeNull();
    await act(id, 'give_up_and_refund');
    await expect(takeCase(fixture.database, { caseId, mine: true, ...viewer })).rejects.toEqual(
      refusal('case_resolved'),
    );
    const unknown = { caseId: randomUUID(), mine: true, ...viewer };
    await expect(takeCase(fixture.database, unknown)).rejects.toEqual(refusal('not_found'));
  });

  it('closes a case that needs nothing more, with the reason', async () => {
    const id = await fixture.create({ state: 'captured' });
    await fixture.database.transaction((em) =>
      openCase(em, { transferId: id, reason: 'contradiction', at: fixture.now }),
    );
    expect(await act(id, 'resolve')).toMatchObject({ resolution: 'Lo pidió el banco', actions: [] });
    await expect(act(id, 'resolve')).rejects.toEqual(refusal('case_resolved'));
  });

  it('goes on with an open case when the same happens again', async () => {
    const id = await createRefused();
    await act(id, 'retry');
    fixture.bank.failNext({ kind: 'error', status: 400, path: '^/bank/' });
    await fixture.run(id, 'payout');
    const [, second] = await payoutsOf(id);
    const found = await caseOf(id);
    expect(found).toMatchObject({ operationId: second?.id, details: 'the bank answered 400' });
    expect(found.version).toBeGreaterThan(1);
    expect(await fixture.openCases(id)).toEqual(['operation_refused']);
  });
});

describe('whom a case concerns', () => {
  const emailsAbout = async (id: string) => {
    const { id: caseId } = await caseOf(id);
    const emails = await fixture.database.fork().find(Email, { key: { $like: `%${caseId}%` } });
    return emails.map(({ kind, userId }) => [kind, userId]).sort();
  };

  it('is told once when it opens, its admins again after a day', async () => {
    const id = await createRejected();
    const { userId: sender } = await fixture.see(id);
    const admins = [
      ana,
      luis,
      ...(await fixture.database.fork().execute<{ id: string }[]>("select id from app_user where role = 'admin'")).map(
        (one) => one.id,
      ),
    ];
    const all = [...new Set(admins)];
    const opened = [...all.map((admin) => ['case_opened', admin]), ['payout_failed', sender]].sort();
    expect(await emailsAbout(id)).toEqual(opened);
    await remindOfCases(fixture.context);
    expect(await emailsAbout(id)).toEqual(opened);
    fixture.now = new Date(fixture.now.getTime() + dayMs);
    await Promise.all([remindOfCases(fixture.context), remindOfCases(fixture.context)]);
    await remindOfCases(fixture.context);
    expect(await emailsAbout(id)).toEqual([...opened, ...all.map((admin) => ['case_old', admin])].sort());
  });

  it('is not reminded of a case that was closed', async () => {
    const id = await createRejected();
    await act(id, 'give_up_and_refund');
    fixture.now = new Date(fixture.now.getTime() + dayMs);
    await remindOfCases(fixture.context);
    expect((await emailsAbout(id)).map(([kind]) => kind)).not.toContain('case_old');
  });
});
