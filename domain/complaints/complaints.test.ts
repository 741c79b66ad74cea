import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ComplaintReason } from '#core/complaints/complaint';
import { dayMs, hourMs, minuteMs } from '#core/time/time';
import { Email } from '../notifications/email.entity.ts';
import { findOperations, updateOperation } from '../operations/operation.repository.ts';
import { applyRefunds } from '../payments/refund.ts';
import { syncPayment } from '../payments/sync-payment.ts';
import { createTestUser } from '../testing/accounts.ts';
import { refusal, useDeskFixture } from '../testing/desk-fixture.ts';
import { transferIn } from '../testing/transfers.ts';
import { postRefundReversal } from '../transfers/ledger.repository.ts';
import { rereadTransfer } from '../transfers/transfer.repository.ts';
import { findComplaintPage } from './complaint.repository.ts';
import {
  approveComplaint,
  assignComplaint,
  concludeComplaint,
  correctComplaint,
  holdComplaint,
  noteComplaint,
  type Result,
  viewComplaint,
} from './handle.ts';
import { reportComplaint, viewReports } from './report.ts';
import { sweepComplaints } from './sweep-complaints.ts';

const desk = useDeskFixture();
const { payments: fixture } = desk;
const description = 'Mi mamá fue al banco y no estaba todo.';
const twoPersonsUsdMinor = 5_000n;
const realNow = fixture.now;

beforeEach(() => {
  fixture.now = realNow;
});
afterEach(() => fixture.stripe.clearFaults());

let senderId = '';
beforeAll(async () => {
  senderId = (await createTestUser(fixture.database)).id;
});

/** A transfer of 100 EUR whose family was paid; no card is behind it. */
const createPaid = async () => (await transferIn(fixture.database, 'completed', { userId: senderId })).id;

/** The same, whose card can take a refund, or does not. */
async function createPaidByCard(paymentMethod = 'pm_card_visa'): Promise<string> {
  const id = await fixture.create({ state: 'captured', paymentMethod });
  await fixture.run(id, 'payout');
  return id;
}

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

/** As one who paid from the United States: Regulation E applies. */
async function fromUnitedStates(id: string): Promise<string> {
  await fixture.database.fork().execute("update transfer set card_country = 'US' where id = ?", [id]);
  return id;
}

const report = async (transferId: string, reason: ComplaintReason = 'wrong_amount') => {
  const { userId } = await fixture.see(transferId);
  const input = { userId, transferId, reason, wants: 'refund', description, at: fixture.now } as const;
  return reportComplaint(fixture.database, input);
};
const by = (complaintId: string, adminId = desk.ana) => ({ complaintId, adminId, at: fixture.now });
const view = (complaintId: string) => viewComplaint(fixture.database.fork(), by(complaintId));
const conclude = (complaintId: string, result: Partial<Result> = {}, adminId = desk.ana) =>
  concludeComplaint(fixture.database, {
    ...{ ...by(complaintId, adminId), twoPersonsUsdMinor, finding: 'error', explanation: 'Tenías razón.' },
    ...result,
  });
const approve = (complaintId: string, adminId: string, note?: string) =>
  approveComplaint(fixture.database, { ...by(complaintId, adminId), approve: note === undefined, note: note ?? '' });
const emails = (complaintId: string) =>
  fixture.database.fork().find(Email, { key: { $like: `%${complaintId}%` } }, { orderBy: { createdAt: 'asc' } });
const kindsTo = async (complaintId: string, userId: string) =>
  (await emails(complaintId)).filter((one) => one.userId === userId).map(({ kind }) => kind);
/** A part of 2.50 EUR goes back. */
const part = { remedy: 'refund', amount: 250n } as const;

describe('a report', () => {
  it('is acknowledged at once, in both languages, and admins hear of it', async () => {
    const transferId = await createPaid();
    const complaint = await report(transferId);
    const { userId } = await fixture.see(transferId);
    expect(complaint).toMatchObject({ state: 'investigating', regime: 'psd2', inTime: true, finding: null });
    expect(complaint.nextDue).toMatchObject({ clock: 'answer' });
    expect(complaint.letters).toMatchObject([
      {
        kind: 'received',
        texts: [
          { language: 'es', subject: 'Recibimos tu reporte: llegó otro monto' },
          { language: 'en', subject: 'We received your report: another amount arrived' },
        ],
      },
    ]);
    expect(complaint.letters[0]?.texts[0]?.details).toContainEqual(['Lo que escribiste', description]);
    expect(await kindsTo(complaint.id, userId)).toEqual(['complaint_received']);
    expect(await kindsTo(complaint.id, desk.ana)).toEqual(['complaint_opened']);
    expect(await kindsTo(complaint.id, desk.luis)).toEqual(['complaint_opened']);
  });

  it('is refused while one with the same reason is open, of two at the same moment too', async () => {
    const transferId = await createPaid();
    const both = await Promise.allSettled([report(transferId), report(transferId)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(report(transferId)).rejects.toEqual(refusal('complaint_open'));
    const other = await report(transferId, 'late');
    await conclude(other.id, { finding: 'no_error' });
    expect((await report(transferId, 'late')).id).not.toBe(other.id);
  });

  it('of a transfer that was never paid, or is somebody else’s, finds nothing', async () => {
    const unpaid = await fixture.create({ state: 'awaiting_payment' });
    await expect(report(unpaid)).rejects.toEqual(refusal('not_found'));
    const input = { userId: desk.ana, reason: 'late', wants: 'refund', description, at: fixture.now } as const;
    const foreign = { transferId: await createPaid(), ...input };
    await expect(reportComplaint(fixture.database, foreign)).rejects.toEqual(refusal('not_found'));
    await expect(viewReports(fixture.database.fork(), foreign)).rejects.toEqual(refusal('not_found'));
  });

  it('is an error of Regulation E for 180 days from the disclosed date, and later a complaint', async () => {
    const inTime = await fromUnitedStates(await createPaid());
    const seen = await fixture.see(inTime);
    const rules = { userId: seen.userId, transferId: inTime, at: fixture.now };
    const { regime, inTimeUntil } = await viewReports(fixture.database.fork(), rules);
    expect(regime).toBe('reg_e');
    expect(Date.parse(inTimeUntil) - seen.estimatedDelivery.getTime()).toBeGreaterThan(180 * dayMs);
    fixture.now = new Date(Date.parse(inTimeUntil) - 1);
    expect(await report(inTime)).toMatchObject({ regime: 'reg_e', inTime: true, nextDue: { clock: 'investigate' } });
    fixture.now = new Date(inTimeUntil);
    const late = await report(inTime, 'late');
    expect(late).toMatchObject({ regime: 'own', inTime: false, nextDue: { clock: 'answer' } });
    expect(late.letters[0]?.texts[0]?.paragraphs.join(' ')).toContain('Pasaron más de 180 días');
  });

  it('can be made for 60 more days once documents were given that the sender had asked for', async () => {
    const transferId = await fromUnitedStates(await createPaid());
    const asked = await report(transferId, 'information');
    fixture.now = new Date(fixture.now.getTime() + 170 * dayMs);
    await conclude(asked.id, { finding: 'answered', explanation: 'Aquí está el recibo.' });
    const { userId } = await fixture.see(transferId);
    const { inTimeUntil } = await viewReports(fixture.database.fork(), { userId, transferId, at: fixture.now });
    expect(Date.parse(inTimeUntil) - fixture.now.getTime()).toBeGreaterThan(60 * dayMs);
  });
});

describe('an admin', () => {
  it('takes a report, leaves it and writes notes, and every change raises the version', async () => {
    const { id, version } = await report(await createPaid());
    const taken = await assignComplaint(fixture.database, { ...by(id), mine: true });
    expect(taken).toMatchObject({ assigned_to: 'Ana', version: version + 1 });
    const noted = await noteComplaint(fixture.database, { ...by(id), text: 'Llamé al banco.' });
    expect(noted).toMatchObject({ notes: [{ text: 'Llamé al banco.', author: 'Ana' }], version: version + 2 });
    expect(await assignComplaint(fixture.database, { ...by(id), mine: false })).toMatchObject({ assigned_to: null });
  });

  it('writes once why the answer takes longer, which moves the deadline from 15 to 35 business days', async () => {
    const { id, nextDue } = await report(await createPaid());
    const hold = () => holdComplaint(fixture.database, { ...by(id), reason: 'Esperamos al banco.' });
    const held = await hold();
    expect(held.letters.map(({ kind }) => kind)).toEqual(['received', 'delayed']);
    expect(held.actions).toEqual(['conclude']);
    const days = (Date.parse(held.next_due?.at ?? '') - Date.parse(nextDue?.at ?? '')) / dayMs;
    expect(Math.round(days)).toBeGreaterThanOrEqual(28);
    await expect(hold()).rejects.toEqual(refusal('complaint_overtaken'));
  });

  it('cannot do so under Regulation E, which knows no such reply', async () => {
    const { id } = await report(await fromUnitedStates(await createPaid()));
    expect((await view(id)).actions).toEqual(['conclude']);
    const held = holdComplaint(fixture.database, { ...by(id), reason: 'Esperamos al banco.' });
    await expect(held).rejects.toMatchObject({ code: 'complaint_overtaken', details: { complaint: { id } } });
  });

  it('can do nothing about a transfer of their own', async () => {
    const transferId = await createPaid();
    const { id } = await report(transferId);
    const { userId } = await fixture.see(transferId);
    expect((await viewComplaint(fixture.database.fork(), by(id, userId))).actions).toEqual([]);
    await expect(conclude(id, part, userId)).rejects.toEqual(refusal('own_transfer'));
    const held = holdComplaint(fixture.database, { ...by(id, userId), reason: 'Espera.' });
    await expect(held).rejects.toEqual(refusal('own_transfer'));
  });

  it('sees the open reports in the order of their next deadlines', async () => {
    const american = await report(await fromUnitedStates(await createPaid()));
    const european = await report(await createPaid());
    const { rows } = await findComplaintPage(fixture.database.fork(), { status: 'open', limit: 100 });
    const ids = rows.map(({ id }) => id);
    expect(ids.indexOf(european.id)).toBeLessThan(ids.indexOf(american.id));
    expect(rows.map(({ nextDueAt }) => nextDueAt)).toEqual(
      rows.map(({ nextDueAt }) => nextDueAt).toSorted((a, b) => Number(a) - Number(b)),
    );
  });
});

describe('a result', () => {
  it('without an error is written with the right to documents, and the report is closed', async () => {
    const { id } = await report(await fromUnitedStates(await createPaid()));
    const closed = await conclude(id, { finding: 'no_error', explanation: 'El banco confirmó todo.' });
    expect(closed).toMatchObject({ state: 'closed', remedy: null, next_due: null, actions: [] });
    expect(closed.clocks.map(({ name, done_at }) => [name, done_at !== null])).toEqual([
      ['investigate', true],
      ['tell', true],
    ]);
    const [es, en] = closed.letters.at(-1)?.texts ?? [];
    expect(es?.paragraphs.join(' ')).toMatch(/El banco confirmó todo\..*Tienes derecho a los documentos.*CFPB/);
    expect(en?.paragraphs.join(' ')).toMatch(/You have the right to the documents.*CFPB/);
    await expect(conclude(id)).rejects.toEqual(refusal('complaint_overtaken'));
  });

  it('with a refund in part returns exactly that, closes with the refund, and the books agree', async () => {
    const transferId = await createPaidByCard();
    const { id } = await report(transferId);
    const told = await conclude(id, part);
    expect(told).toMatchObject({ state: 'correcting', amount: '2.50', next_due: { clock: 'correct' } });
    await fixture.run(transferId, 'refund');
    const refunds = await fixture.stripe.sdk.refunds.list({ payment_intent: await fixture.intentId(transferId) });
    expect(refunds.data.map(({ amount }) => amount)).toEqual([250]);
    expect(await fixture.see(transferId)).toMatchObject({ state: 'completed', returnedMinor: 250n });
    expect(await fixture.balances(transferId)).toMatchObject({ 'loss EUR': '-250' });
    expect(await fixture.openCases(transferId)).toEqual([]);
    const closed = await view(id);
    expect(closed).toMatchObject({ state: 'closed', operation: { status: 'succeeded', amount: '2.50' } });
    expect(closed.letters.map(({ kind }) => kind)).toEqual(['received', 'result', 'corrected']);
    const { userId } = await fixture.see(transferId);
    expect(await kindsTo(id, userId)).toEqual(['complaint_received', 'complaint_result', 'complaint_corrected']);
    await comeBack(transferId);
    expect(await view(id)).toMatchObject({
      state: 'correcting',
      operation: { status: 'failed' },
      actions: ['correct'],
    });
  });

  it('waits for a second person where much goes back, and the sender sees nothing of it before', async () => {
    const transferId = await createPaid();
    const { id } = await report(transferId);
    const waiting = await conclude(id, { remedy: 'refund', amount: 9_000n });
    expect(waiting).toMatchObject({ state: 'awaiting_approval', found_by: 'Ana', actions: [] });
    expect(await kindsTo(id, desk.ana)).toEqual(['complaint_opened']);
    expect(await kindsTo(id, desk.luis)).toEqual(['complaint_opened', 'complaint_waiting']);
    const { userId } = await fixture.see(transferId);
    const { items } = await viewReports(fixture.database.fork(), { userId, transferId, at: fixture.now });
    expect(items[0]).toMatchObject({ state: 'investigating', finding: null, explanation: null, amount: null });
    expect(await fixture.operations(transferId, 'refund')).toEqual([]);
    await expect(approve(id, desk.ana)).rejects.toEqual(refusal('own_request'));
    expect(await approve(id, desk.luis)).toMatchObject({ state: 'correcting', approved_by: 'Luis' });
    expect(await fixture.operations(transferId, 'refund')).toMatchObject([{ amountMinor: 9_000n }]);
    await expect(approve(id, desk.luis)).rejects.toEqual(refusal('complaint_overtaken'));
  });

  it('that a second person sends back with a note is investigated again, and stays written down', async () => {
    const { id } = await report(await createPaid());
    await conclude(id, { remedy: 'refund', amount: 9_000n });
    await expect(approve(id, desk.luis, '')).rejects.toEqual(refusal('invalid_input'));
    const back = await approve(id, desk.luis, 'Falta el comprobante.');
    expect(back).toMatchObject({ state: 'investigating', finding: null, amount: null, found_by: null });
    expect(back.notes.map(({ author, text }) => `${author}: ${text}`).sort()).toEqual([
      'Ana: Tenías razón.',
      'Luis: Falta el comprobante.',
    ]);
    expect(await conclude(id, part)).toMatchObject({ state: 'correcting' });
  });

  it('needs a second person for any amount where money was returned for another report before', async () => {
    const transferId = await createPaidByCard();
    await conclude((await report(transferId)).id, part);
    await fixture.run(transferId, 'refund');
    const second = await report(transferId, 'general');
    expect(await conclude(second.id, part)).toMatchObject({ state: 'awaiting_approval' });
  });

  it('that is late under Regulation E returns the fee at least', async () => {
    const transferId = await fromUnitedStates(await createPaid());
    const { id } = await report(transferId, 'late');
    const { feeMinor } = await fixture.see(transferId);
    await expect(conclude(id, { remedy: 'none' })).rejects.toEqual(refusal('action_not_possible'));
    const less = conclude(id, { remedy: 'refund', amount: feeMinor - 1n });
    await expect(less).rejects.toEqual(refusal('amount_differs'));
    await conclude(id, { remedy: 'fee_refund' });
    expect(await fixture.operations(transferId, 'refund')).toMatchObject([{ amountMinor: feeMinor }]);
  });

  it('returns no more than what was charged, and nothing beside another refund', async () => {
    const transferId = await createPaid();
    const { id } = await report(transferId);
    const more = conclude(id, { remedy: 'refund', amount: 10_001n });
    await expect(more).rejects.toEqual(refusal('amount_differs'));
    await expect(conclude(id, { remedy: 'refund' })).rejects.toEqual(refusal('amount_differs'));
    await expect(conclude(id)).rejects.toEqual(refusal('invalid_input'));
    await conclude(id, part);
    const other = await report(transferId, 'late');
    await expect(conclude(other.id, part)).rejects.toEqual(refusal('action_not_possible'));
  });

  it('before the family was paid returns all of it, and the transfer goes back', async () => {
    const transferId = await desk.createRejected();
    const { id } = await report(transferId, 'not_received');
    await expect(conclude(id, part)).rejects.toEqual(refusal('amount_differs'));
    await conclude(id, { remedy: 'refund', amount: 10_000n });
    await approve(id, desk.luis);
    expect((await fixture.see(transferId)).state).toBe('refunding');
    await fixture.run(transferId, 'refund');
    expect((await view(id)).state).toBe('closed');
    expect(await fixture.balances(transferId)).toEqual({});
  });

  it('of paying again is done once the bank has paid, and then returns the fee that the law wants back', async () => {
    const transferId = await fromUnitedStates(await desk.createRefused());
    const { id } = await report(transferId, 'not_received');
    expect(await conclude(id, { remedy: 'pay_again' })).toMatchObject({ state: 'correcting', operation: null });
    await sweepComplaints(fixture.context);
    expect((await view(id)).state).toBe('correcting');
    await desk.act(transferId, 'retry', { reason: '' });
    await fixture.run(transferId, 'payout');
    await sweepComplaints(fixture.context);
    const { feeMinor } = await fixture.see(transferId);
    expect(await fixture.operations(transferId, 'refund')).toMatchObject([{ amountMinor: feeMinor }]);
    await sweepComplaints(fixture.context);
    expect((await view(id)).state).toBe('correcting');
    await fixture.run(transferId, 'refund');
    expect((await view(id)).state).toBe('closed');
  });

  it('whose refund the card did not take is corrected again by a person', async () => {
    const transferId = await createPaidByCard('pm_card_refundFail');
    const { id } = await report(transferId);
    const correct = () => correctComplaint(fixture.database, by(id));
    await expect(correct()).rejects.toEqual(refusal('complaint_overtaken'));
    await conclude(id, part);
    await fixture.run(transferId, 'refund');
    fixture.stripe.advanceClock(86_400);
    await fixture.stripe.idle();
    await syncPayment(fixture.context, transferId);
    expect(await view(id)).toMatchObject({
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

describe('deadlines', () => {
  it('are written to every admin when they come near and when they have passed, once each, with whom', async () => {
    const { id, nextDue } = await report(await createPaid());
    const dueAt = Date.parse(nextDue?.at ?? '');
    await sweepComplaints(fixture.context);
    expect((await view(id)).reminders).toEqual([]);
    for (const moment of [dueAt - 3 * dayMs, dueAt - dayMs, dueAt, dueAt + 1, dueAt + dayMs]) {
      fixture.now = new Date(moment);
      await Promise.all([sweepComplaints(fixture.context), sweepComplaints(fixture.context)]);
    }
    const { reminders } = await view(id);
    expect(reminders).toMatchObject([
      { clock: 'answer', stage: 'near', at: new Date(dueAt - 3 * dayMs).toISOString(), due_at: nextDue?.at },
      { clock: 'answer', stage: 'overdue', at: new Date(dueAt + 1).toISOString() },
    ]);
    expect(reminders[0]?.told.toSorted()).toEqual(['Ana', 'Luis']);
    expect(await kindsTo(id, desk.ana)).toEqual(['complaint_opened', 'complaint_due', 'complaint_due']);
  });

  it('that a reply moved are written about anew', async () => {
    const { id, nextDue } = await report(await createPaid());
    fixture.now = new Date(Date.parse(nextDue?.at ?? '') - hourMs);
    await sweepComplaints(fixture.context);
    await holdComplaint(fixture.database, { ...by(id), reason: 'Esperamos al banco.' });
    const moved = Date.parse((await view(id)).next_due?.at ?? '');
    fixture.now = new Date(moved - hourMs);
    await sweepComplaints(fixture.context);
    const { reminders } = await view(id);
    expect(reminders.map(({ stage, due_at }) => [stage, due_at])).toEqual([
      ['near', nextDue?.at],
      ['near', new Date(moved).toISOString()],
    ]);
  });

  it('of a report that is closed are written about no more', async () => {
    const { id, nextDue } = await report(await createPaid());
    await conclude(id, { finding: 'no_error' });
    fixture.now = new Date(Date.parse(nextDue?.at ?? '') + minuteMs);
    await sweepComplaints(fixture.context);
    expect((await view(id)).reminders).toEqual([]);
  });
});

describe('the database', () => {
  const change = (id: string, set: string) =>
    fixture.database.fork().execute(`update complaint set ${set} where id = '${id}'`);

  it('keeps what was reported, and refuses results by the sender or by one person twice', async () => {
    const transferId = await createPaid();
    const { id } = await report(transferId);
    await expect(change(id, "description = 'Otra cosa'")).rejects.toThrow('never changed');
    await expect(change(id, "regime = 'own'")).rejects.toThrow('never changed');
    const { userId } = await rereadTransfer(fixture.database.fork(), transferId);
    await conclude(id, { remedy: 'refund', amount: 9_000n });
    await expect(change(id, `found_by_id = '${userId}'`)).rejects.toThrow('complaint_own_transfer_check');
    await expect(change(id, `approved_by_id = '${desk.ana}'`)).rejects.toThrow('complaint_two_persons_check');
  });
});
