import { describe, expect, it } from 'vitest';
import { findOperations, updateOperation } from '../operations/operation.repository.ts';
import { applyRefunds } from '../payments/refund.ts';
import { syncPayment } from '../payments/sync-payment.ts';
import { useComplaintFixture } from '../testing/complaint-fixture.ts';
import { refusal } from '../testing/desk-fixture.ts';
import { postRefundReversal } from '../transfers/ledger.repository.ts';
import { rereadTransfer } from '../transfers/transfer.repository.ts';
import { correctComplaint } from './conclude.ts';
import { viewReports } from './report.ts';
import { sweepComplaints } from './sweep-complaints.ts';

const complaints = useComplaintFixture();
const { desk, payments: fixture } = complaints;
/** A part of 2.50 EUR goes back. */
const part = { remedy: 'refund', amount: 250n } as const;

/** What is written down when a refund that had succeeded comes back to us. */
const comeBack = (transferId: string) =>
  fixture.database.transaction(async (em) => {
    const transfer = await rereadTransfer(em, transferId);
    const [refund] = await findOperations(em, transferId, 'refund');
    if (!refund) throw new Error('there is no refund');
    await updateOperation(em, refund, { status: 'failed' }, fixture.now);
    postRefundReversal(em, transfer, refund, fixture.now);
    await applyRefunds(em, transfer, fixture.now);
  });

describe('a result', () => {
  it('without an error is written with the right to documents, and the report is closed', async () => {
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

  it('with a refund in part returns exactly that, closes with the refund, and the books agree', async () => {
    const transferId = await complaints.createPaidByCard();
    const { id } = await complaints.report(transferId);
    const told = await complaints.conclude(id, part);
    expect(told).toMatchObject({ state: 'correcting', amount: '2.50', next_due: { clock: 'correct' } });
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

  it('waits for a second person where much goes back, and the sender sees nothing of it before', async () => {
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

  it('that a second person sends back with a note is investigated again, and stays written down', async () => {
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

  it('needs a second person for any amount where money was returned for another report before', async () => {
    const transferId = await complaints.createPaidByCard();
    await complaints.conclude((await complaints.report(transferId)).id, part);
    await fixture.run(transferId, 'refund');
    const second = await complaints.report(transferId, 'general');
    expect(await complaints.conclude(second.id, part)).toMatchObject({ state: 'awaiting_approval' });
  });

  it('that is late under Regulation E returns the fee at least', async () => {
    const transferId = await complaints.fromUnitedStates(await complaints.createPaid());
    const { id } = await complaints.report(transferId, 'late');
    const { feeMinor } = await fixture.see(transferId);
    await expect(complaints.conclude(id, { remedy: 'none' })).rejects.toEqual(refusal('action_not_possible'));
    const less = complaints.conclude(id, { remedy: 'refund', amount: feeMinor - 1n });
    await expect(less).rejects.toEqual(refusal('amount_differs'));
    await complaints.conclude(id, { remedy: 'fee_refund' });
    expect(await fixture.operations(transferId, 'refund')).toMatchObject([{ amountMinor: feeMinor }]);
  });

  it('returns no more than what was charged, and nothing beside another refund', async () => {
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

  it('before the family was paid returns all of it, and the transfer goes back', async () => {
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

  it('of paying again is done once the bank has paid, and then returns the fee that the law wants back', async () => {
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

  it('whose refund the card did not take is corrected again by a person', async () => {
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

describe('the database', () => {
  const change = (id: string, set: string) =>
    fixture.database.fork().execute(`update complaint set ${set} where id = '${id}'`);

  it('keeps what was reported, and refuses results by the sender or by one person twice', async () => {
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
