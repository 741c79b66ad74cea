import { describe, expect, it } from 'vitest';
import type { ComplaintReason } from '#core/complaints/complaint';
import { minuteMs } from '#core/time/time';
import { createTestUser } from '../../testing/accounts.ts';
import { useComplaintFixture } from '../../testing/complaint-fixture.ts';
import { refusal } from '../../testing/desk-fixture.ts';
import { setAdminRole } from '../account-oversight/admin-role.ts';
import { findHolds } from '../holds/holds.repository.ts';
import { applyRefunds } from '../payments/refund.ts';
import { syncDisputes } from '../payments/sync-disputes.ts';
import { syncPayment } from '../payments/sync-payment.ts';
import { findOperations, updateOperation } from '../provider-calls/operation.repository.ts';
import { postRefundReversal } from '../transfers/ledger.repository.ts';
import { rereadTransfer } from '../transfers/transfer.repository.ts';
import { approveComplaint, correctComplaint } from './conclude.ts';
import { viewReports } from './report.ts';
import { sweepComplaints } from './sweep-complaints.ts';

const complaints = useComplaintFixture();
const { desk, payments: fixture } = complaints;
/** Refunds a part, 2.50 EUR. */
const part = { remedy: 'refund', amount: 250n } as const;

/** Records that a successful refund was returned to us. */
const comeBack = (transferId: string) =>
  fixture.database.transaction(async (em) => {
    const transfer = await rereadTransfer(em, transferId);
    const [refund] = await findOperations(em, transferId, 'refund');
    if (!refund) throw new Error('there is no refund');
    await updateOperation(em, refund, { status: 'failed' }, fixture.now);
    await postRefundReversal(em, transfer, refund, fixture.now);
    await applyRefunds(em, transfer, fixture.now);
  });

describe('a result', () => {
  it('without an error closes the report with a letter that mentions the right to documents', async () => {
    const { id } = await complaints.report(await complaints.fromUnitedStates(await complaints.createPaid()));
    const closed = await complaints.conclude(id, { finding: 'no_error', explanation: 'El banco confirmó todo.' });
    expect(closed).toMatchObject({ state: 'closed', remedy: null, next_due: null, actions: [] });
    expect(closed.clocks.map(({ name, done_at }) => [name, done_at !== null])).toEqual([
      ['investigate', true],
      ['tell', true],
    ]);
    const [es, en] = closed.letters.at(-1)?.texts ?? [];
    expect(es?.paragraphs.join(' ')).toMatch(/El banco confirmó todo\..*Tienes derecho a los documentos.*CFPB/);
    expect(en?.paragraphs.join(' ')).toMatch(/You have the right to the documents.*CFPB/);
    await expect(complaints.conclude(id)).rejects.toEqual(refusal('complaint_overtaken'));
  });

  it('with a refund in part refunds exactly that part, closes with the refund, and the books agree', async () => {
    const transferId = await complaints.createPaidByCard();
    const { id } = await complaints.report(transferId);
    const concluded = await complaints.conclude(id, part);
    expect(concluded).toMatchObject({ state: 'correcting', amount: '2.50', next_due: { clock: 'correct' } });
    await fixture.run(transferId, 'refund');
    const refunds = await fixture.stripe.sdk.refunds.list({ payment_intent: await fixture.intentId(transferId) });
    expect(refunds.data.map(({ amount }) => amount)).toEqual([250]);
    expect(await fixture.see(transferId)).toMatchObject({ state: 'completed', returnedMinor: 250n });
    expect(await fixture.balances(transferId)).toMatchObject({ 'loss EUR': '-250' });
    expect(await fixture.openCases(transferId)).toEqual([]);
    const closed = await complaints.view(id);
    expect(closed).toMatchObject({ state: 'closed', operation: { status: 'succeeded', amount: '2.50' } });
    expect(closed.letters.map(({ kind }) => kind)).toEqual(['received', 'result', 'corrected']);
    const { userId } = await fixture.see(transferId);
    expect(await complaints.kindsTo(id, userId)).toEqual([
      'complaint_received',
      'complaint_result',
      'complaint_corrected',
    ]);
    await comeBack(transferId);
    expect(await complaints.view(id)).toMatchObject({
      state: 'correcting',
      operation: { status: 'failed' },
      actions: ['correct'],
    });
  });

  it('waits for a second person for a large refund and stays hidden from the sender until then', async () => {
    const transferId = await complaints.createPaid();
    const { id } = await complaints.report(transferId);
    const waiting = await complaints.conclude(id, { remedy: 'refund', amount: 9_000n });
    expect(waiting).toMatchObject({ state: 'awaiting_approval', found_by: 'Ana', actions: [] });
    expect(await complaints.kindsTo(id, desk.ana)).toEqual(['complaint_opened']);
    expect(await complaints.kindsTo(id, desk.luis)).toEqual(['complaint_opened', 'complaint_waiting']);
    const { userId } = await fixture.see(transferId);
    const { items } = await viewReports(fixture.database.fork(), { userId, transferId, at: fixture.now });
    expect(items[0]).toMatchObject({ state: 'investigating', finding: null, explanation: null, amount: null });
    expect(await fixture.operations(transferId, 'refund')).toEqual([]);
    await expect(complaints.approve(id, desk.ana)).rejects.toEqual(refusal('own_request'));
    expect(await complaints.approve(id, desk.luis)).toMatchObject({ state: 'correcting', approved_by: 'Luis' });
    expect(await fixture.operations(transferId, 'refund')).toMatchObject([{ amountMinor: 9_000n }]);
    await expect(complaints.approve(id, desk.luis)).rejects.toEqual(refusal('complaint_overtaken'));
  });

  it('sent back by a second person with a note reopens the investigation and stays on record', async () => {
    const { id } = await complaints.report(await complaints.createPaid());
    await complaints.conclude(id, { remedy: 'refund', amount: 9_000n });
    await expect(complaints.approve(id, desk.luis, '')).rejects.toEqual(refusal('invalid_input'));
    const back = await complaints.approve(id, desk.luis, 'Falta el comprobante.');
    expect(back).toMatchObject({ state: 'investigating', finding: null, amount: null, found_by: null });
    expect(back.notes.map(({ author, text }) => `${author}: ${text}`).sort()).toEqual([
      'Ana: Tenías razón.',
      'Luis: Falta el comprobante.',
    ]);
    expect(await complaints.conclude(id, part)).toMatchObject({ state: 'correcting' });
  });

  it('needs a second person for any amount after a refund for another report', async () => {
    const transferId = await complaints.createPaidByCard();
    await complaints.conclude((await complaints.report(transferId)).id, part);
    await fixture.run(transferId, 'refund');
    const second = await complaints.report(transferId, 'general');
    expect(await complaints.conclude(second.id, part)).toMatchObject({ state: 'awaiting_approval' });
  });

  it('that is late under Regulation E refunds at least the fee', async () => {
    const transferId = await complaints.fromUnitedStates(await complaints.createPaid());
    const { id } = await complaints.report(transferId, 'late');
    const { feeMinor } = await fixture.see(transferId);
    await expect(complaints.conclude(id, { remedy: 'none' })).rejects.toEqual(refusal('action_not_possible'));
    const less = complaints.conclude(id, { remedy: 'refund', amount: feeMinor - 1n });
    await expect(less).rejects.toEqual(refusal('amount_differs'));
    await complaints.conclude(id, { remedy: 'fee_refund' });
    expect(await fixture.operations(transferId, 'refund')).toMatchObject([{ amountMinor: feeMinor }]);
  });

  it('refunds no more than the charge, and nothing while another refund is open', async () => {
    const transferId = await complaints.createPaid();
    const { id } = await complaints.report(transferId);
    const more = complaints.conclude(id, { remedy: 'refund', amount: 10_001n });
    await expect(more).rejects.toEqual(refusal('amount_differs'));
    await expect(complaints.conclude(id, { remedy: 'refund' })).rejects.toEqual(refusal('amount_differs'));
    await expect(complaints.conclude(id)).rejects.toEqual(refusal('invalid_input'));
    await complaints.conclude(id, part);
    const other = await complaints.report(transferId, 'late');
    await expect(complaints.conclude(other.id, part)).rejects.toEqual(refusal('action_not_possible'));
  });

  it('before the payout refunds everything and reverses the transfer', async () => {
    const transferId = await desk.createRejected();
    const { id } = await complaints.report(transferId, 'not_received');
    await expect(complaints.conclude(id, part)).rejects.toEqual(refusal('amount_differs'));
    await complaints.conclude(id, { remedy: 'refund', amount: 10_000n });
    await complaints.approve(id, desk.luis);
    expect((await fixture.see(transferId)).state).toBe('refunding');
    await fixture.run(transferId, 'refund');
    expect((await complaints.view(id)).state).toBe('closed');
    expect(await fixture.balances(transferId)).toEqual({});
  });

  it('with a second payout completes once the bank has paid, and then refunds the fee as the law requires', async () => {
    const transferId = await complaints.fromUnitedStates(await desk.createRefused());
    const { id } = await complaints.report(transferId, 'not_received');
    expect(await complaints.conclude(id, { remedy: 'pay_again' })).toMatchObject({
      state: 'correcting',
      operation: null,
    });
    await sweepComplaints(fixture.context);
    expect((await complaints.view(id)).state).toBe('correcting');
    await desk.act(transferId, 'retry', { reason: '' });
    await fixture.run(transferId, 'payout');
    await sweepComplaints(fixture.context);
    const { feeMinor } = await fixture.see(transferId);
    expect(await fixture.operations(transferId, 'refund')).toMatchObject([{ amountMinor: feeMinor }]);
    await sweepComplaints(fixture.context);
    expect((await complaints.view(id)).state).toBe('correcting');
    await fixture.run(transferId, 'refund');
    expect((await complaints.view(id)).state).toBe('closed');
  });

  it('whose refund the card rejected is corrected again by an admin', async () => {
    const transferId = await complaints.createPaidByCard('pm_card_refundFail');
    const { id } = await complaints.report(transferId);
    const correct = () => correctComplaint(fixture.database, complaints.by(id));
    await expect(correct()).rejects.toEqual(refusal('complaint_overtaken'));
    await complaints.conclude(id, part);
    await fixture.run(transferId, 'refund');
    fixture.stripe.advanceClock(86_400);
    await fixture.stripe.idle();
    await syncPayment(fixture.context, transferId);
    expect(await complaints.view(id)).toMatchObject({
      state: 'correcting',
      operation: { status: 'failed' },
      actions: ['correct'],
    });
    expect(await correct()).toMatchObject({
      operation: { status: 'pending', sequence: 2, amount: '2.50' },
      actions: [],
    });
    expect(await fixture.balances(transferId)).not.toHaveProperty('loss EUR');
  });
});

describe('N7: one transfer with two reports', () => {
  const whole = { remedy: 'pay_again', payout: 129_117n } as const;

  /** A paid transfer whose full amount was paid out a second time for a report. */
  async function paidAgain(reason: ComplaintReason) {
    const transferId = await complaints.createPaidByCard();
    const { id } = await complaints.report(transferId, reason);
    await complaints.conclude(id, whole);
    await complaints.approve(id);
    await fixture.run(transferId, 'payout');
    expect(await fixture.see(transferId)).toMatchObject({ state: 'completed', paidAgainMinor: 129_117n });
    return transferId;
  }

  it('after a second payout refunds no more than the fee', async () => {
    const transferId = await paidAgain('wrong_amount');
    const second = await complaints.report(transferId, 'not_received');
    expect(await complaints.view(second.id)).toMatchObject({ left: '3.50', repayable: '0.00' });
    const more = { remedy: 'refund', amount: 351n } as const;
    await expect(complaints.conclude(second.id, more)).rejects.toEqual(refusal('amount_differs'));
    await expect(complaints.conclude(second.id, whole)).rejects.toEqual(refusal('action_not_possible'));
    await complaints.conclude(second.id, { remedy: 'refund', amount: 350n });
    await complaints.approve(second.id);
    await fixture.run(transferId, 'refund');
    expect(await fixture.balances(transferId)).toMatchObject({ 'loss BOB': '-129117', 'loss EUR': '-350' });
  });

  it('after a second payout and a refund of the fee refunds nothing more', async () => {
    const transferId = await paidAgain('late');
    await fixture.run(transferId, 'refund');
    const second = await complaints.report(transferId, 'wrong_amount');
    expect(await complaints.view(second.id)).toMatchObject({ left: '0.00', repayable: '0.00', remedies: ['none'] });
    const refused = complaints.conclude(second.id, { remedy: 'refund', amount: 1n });
    await expect(refused).rejects.toEqual(refusal('action_not_possible'));
  });

  it('refunds the fee only once', async () => {
    const transferId = await complaints.createPaidByCard();
    await complaints.conclude((await complaints.report(transferId, 'late')).id, { remedy: 'fee_refund' });
    await fixture.run(transferId, 'refund');
    const second = await complaints.report(transferId, 'not_received');
    expect(await complaints.conclude(second.id, whole)).toMatchObject({ state: 'awaiting_approval', amount: null });
  });

  it('gets no second payout after its charge was refunded', async () => {
    const transferId = await complaints.createPaidByCard();
    const first = await complaints.report(transferId, 'wrong_amount');
    await complaints.conclude(first.id, { remedy: 'refund', amount: 10_000n });
    await complaints.approve(first.id);
    await fixture.run(transferId, 'refund');
    const second = await complaints.report(transferId, 'not_received');
    expect(await complaints.view(second.id)).toMatchObject({ left: '0.00', repayable: '0.00', remedies: ['none'] });
    await expect(complaints.conclude(second.id, whole)).rejects.toEqual(refusal('action_not_possible'));
  });

  it('gets a second payout of only the rest after a partial refund', async () => {
    const transferId = await complaints.createPaidByCard();
    await complaints.conclude((await complaints.report(transferId, 'wrong_amount')).id, {
      remedy: 'refund',
      amount: 1_000n,
    });
    await fixture.run(transferId, 'refund');
    const second = await complaints.report(transferId, 'not_received');
    expect(await complaints.view(second.id)).toMatchObject({ left: '90.00', repayable: '1204.20' });
    await expect(complaints.conclude(second.id, whole)).rejects.toEqual(refusal('amount_differs'));
    expect(await complaints.conclude(second.id, { ...whole, payout: 120_420n })).toMatchObject({
      state: 'awaiting_approval',
    });
  });

  it('has at most one result awaiting a second person, and no case may move its money until then', async () => {
    const transferId = await complaints.createPaidByCard();
    const first = await complaints.report(transferId, 'wrong_amount');
    const second = await complaints.report(transferId, 'not_received');
    await complaints.conclude(first.id, { remedy: 'refund', amount: 9_000n });
    await expect(complaints.conclude(second.id, whole)).rejects.toEqual(refusal('request_pending'));
    expect(await complaints.view(second.id)).toMatchObject({ remedies: ['none'] });
    expect(await complaints.view(first.id)).toMatchObject({ remedies: ['refund', 'fee_refund', 'pay_again', 'none'] });
    const holds = await findHolds(fixture.database.fork(), await fixture.see(transferId), 'refund');
    expect(holds).toEqual([{ reason: 'request_waiting', subject: first.id }]);
    await complaints.approve(first.id);
    await fixture.run(transferId, 'refund');
    expect(await fixture.operations(transferId, 'refund')).toMatchObject([{ status: 'succeeded' }]);
  });
});

describe('a result that waits for a second person', () => {
  it('can be approved only as the second person read it, not once rewritten', async () => {
    const { id } = await complaints.report(await complaints.createPaid());
    const { found_at: seenAt } = await complaints.conclude(id, { remedy: 'refund', amount: 9_000n });
    await complaints.approve(id, desk.luis, 'Falta el comprobante.');
    fixture.now = new Date(fixture.now.getTime() + minuteMs);
    await complaints.conclude(id, { remedy: 'refund', amount: 10_000n });
    const answer = { approve: true, note: '', policy: complaints.policy };
    for (const foundAt of [new Date(seenAt ?? 0), undefined]) {
      const approval = approveComplaint(fixture.database, { ...complaints.by(id, desk.luis), ...answer, foundAt });
      await expect(approval).rejects.toMatchObject({
        code: 'complaint_overtaken',
        details: { complaint: { amount: '100.00' } },
      });
    }
    expect(await complaints.approve(id)).toMatchObject({ state: 'correcting' });
  });

  it.each([
    [
      'the charge is disputed',
      async (transferId: string) => {
        fixture.stripe.openDispute(await fixture.intentId(transferId));
        await syncDisputes(fixture.context, transferId);
      },
    ],
    [
      'the dashboard returns the charge',
      async (transferId: string) => {
        await fixture.stripe.sdk.refunds.create({ payment_intent: await fixture.intentId(transferId) });
        await syncPayment(fixture.context, transferId);
      },
    ],
  ])('is not approved once %s', async (_, happens) => {
    const transferId = await complaints.createPaidByCard();
    const { id } = await complaints.report(transferId);
    await complaints.conclude(id, { remedy: 'refund', amount: 9_000n });
    await happens(transferId);
    const before = await fixture.operations(transferId);
    await expect(complaints.approve(id)).rejects.toEqual(refusal('action_not_possible'));
    expect(await fixture.operations(transferId)).toEqual(before);
  });

  it('reopens the investigation when its author loses the role, and stays on record', async () => {
    const transferId = await complaints.createPaidByCard();
    const { id } = await complaints.report(transferId);
    const { id: marta } = await createTestUser(fixture.database, { role: 'admin', name: 'Marta' });
    await complaints.conclude(id, { remedy: 'refund', amount: 9_000n }, marta);
    const role = { userId: marta, role: 'treasurer', ownerId: desk.ana, at: fixture.now } as const;
    await fixture.database.transaction((em) => setAdminRole(em, role));
    expect(await complaints.view(id)).toMatchObject({
      ...{ state: 'investigating', finding: null, amount: null, found_by: null },
      notes: [{ author: 'Marta', text: 'Tenías razón.' }],
    });
    await expect(complaints.approve(id)).rejects.toEqual(refusal('complaint_overtaken'));
    expect(await findHolds(fixture.database.fork(), await fixture.see(transferId), 'refund')).toEqual([]);
  });

  it('whose author lost the role unnoticed is sent back instead of approved', async () => {
    const { id } = await complaints.report(await complaints.createPaid());
    const { id: marta } = await createTestUser(fixture.database, { role: 'admin', name: 'Marta' });
    await complaints.conclude(id, { remedy: 'refund', amount: 9_000n }, marta);
    await fixture.database.fork().execute(`update app_user set admin_role = 'support' where id = ?`, [marta]);
    await expect(complaints.approve(id)).rejects.toEqual(refusal('complaint_overtaken'));
    expect(await complaints.approve(id, desk.luis, 'Otra vez.')).toMatchObject({ state: 'investigating' });
  });
});

describe('the database', () => {
  const change = (id: string, set: string) =>
    fixture.database.fork().execute(`update complaint set ${set} where id = '${id}'`);

  it('keeps reported fields immutable and rejects results by the sender or approved by their author', async () => {
    const transferId = await complaints.createPaid();
    const { id } = await complaints.report(transferId);
    await expect(change(id, "description = 'Otra cosa'")).rejects.toThrow('never changed');
    await expect(change(id, "regime = 'own'")).rejects.toThrow('never changed');
    const { userId } = await rereadTransfer(fixture.database.fork(), transferId);
    await complaints.conclude(id, { remedy: 'refund', amount: 9_000n });
    await expect(change(id, `found_by_id = '${userId}'`)).rejects.toThrow('complaint_own_transfer_check');
    await expect(change(id, `approved_by_id = '${desk.ana}'`)).rejects.toThrow('complaint_two_persons_check');
  });
});
