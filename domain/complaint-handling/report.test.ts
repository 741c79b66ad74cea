import { describe, expect, it } from 'vitest';
import { dayMs } from '#core/time/time';
import { useComplaintFixture } from '../../testing/complaint-fixture.ts';
import { refusal } from '../../testing/desk-fixture.ts';
import { reportComplaint, viewReports, withdrawComplaint } from './report.ts';
import { sweepComplaints } from './sweep-complaints.ts';

const complaints = useComplaintFixture();
const { desk, payments: fixture } = complaints;

describe('a report', () => {
  it('is acknowledged at once, in both languages, and admins are notified', async () => {
    const transferId = await complaints.createPaid();
    const complaint = await complaints.report(transferId);
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
    expect(complaint.letters[0]?.texts[0]?.details).toContainEqual(['Lo que escribiste', complaints.description]);
    expect(await complaints.kindsTo(complaint.id, userId)).toEqual(['complaint_received']);
    expect(await complaints.kindsTo(complaint.id, desk.ana)).toEqual(['complaint_opened']);
    expect(await complaints.kindsTo(complaint.id, desk.luis)).toEqual(['complaint_opened']);
  });

  it('is rejected while one with the same reason is open, also under concurrency', async () => {
    const transferId = await complaints.createPaid();
    const both = await Promise.allSettled([complaints.report(transferId), complaints.report(transferId)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(complaints.report(transferId)).rejects.toEqual(refusal('complaint_open'));
    const other = await complaints.report(transferId, 'late');
    await complaints.conclude(other.id, { finding: 'no_error' });
    expect((await complaints.report(transferId, 'late')).id).not.toBe(other.id);
  });

  it('of an unpaid transfer, or another sender’s, fails with not_found', async () => {
    const unpaid = await fixture.create({ state: 'awaiting_payment' });
    await expect(complaints.report(unpaid)).rejects.toEqual(refusal('not_found'));
    const input = {
      userId: desk.ana,
      reason: 'late',
      wants: 'refund',
      description: 'XYZ 12345',
      at: fixture.now,
    } as const;
    const foreign = { transferId: await complaints.createPaid(), ...input };
    await expect(reportComplaint(fixture.database, foreign)).rejects.toEqual(refusal('not_found'));
    await expect(viewReports(fixture.database.fork(), foreign)).rejects.toEqual(refusal('not_found'));
  });

  it('is an error of Regulation E for 180 days from the disclosed date, and later a complaint', async () => {
    const inTime = await complaints.fromUnitedStates(await complaints.createPaid());
    const seen = await fixture.see(inTime);
    const rules = { userId: seen.userId, transferId: inTime, at: fixture.now };
    const { regime, inTimeUntil } = await viewReports(fixture.database.fork(), rules);
    expect(regime).toBe('reg_e');
    expect(Date.parse(inTimeUntil) - seen.estimatedDelivery.getTime()).toBeGreaterThan(180 * dayMs);
    fixture.now = new Date(Date.parse(inTimeUntil) - 1);
    expect(await complaints.report(inTime)).toMatchObject({
      regime: 'reg_e',
      inTime: true,
      nextDue: { clock: 'investigate' },
    });
    fixture.now = new Date(inTimeUntil);
    const late = await complaints.report(inTime, 'late');
    expect(late).toMatchObject({ regime: 'own', inTime: false, nextDue: { clock: 'answer' } });
    expect(late.letters[0]?.texts[0]?.paragraphs.join(' ')).toContain('Pasaron más de 180 días');
  });

  it('can be made for 60 more days after the sender requested and received documents', async () => {
    const transferId = await complaints.fromUnitedStates(await complaints.createPaid());
    const request = await complaints.report(transferId, 'information');
    fixture.now = new Date(fixture.now.getTime() + 170 * dayMs);
    await complaints.conclude(request.id, { finding: 'answered', explanation: 'Aquí está el recibo.' });
    const { userId } = await fixture.see(transferId);
    const { inTimeUntil } = await viewReports(fixture.database.fork(), { userId, transferId, at: fixture.now });
    expect(Date.parse(inTimeUntil) - fixture.now.getTime()).toBeGreaterThan(60 * dayMs);
  });
});

describe('a report that its sender withdraws', () => {
  it('is closed with a letter and ends its deadlines and reminders; withdrawing it twice changes nothing', async () => {
    const transferId = await complaints.fromUnitedStates(await complaints.createPaid());
    const { id } = await complaints.report(transferId);
    const { userId } = await fixture.see(transferId);
    const withdraw = () => withdrawComplaint(fixture.database, { userId, complaintId: id, at: fixture.now });
    const withdrawn = await withdraw();
    expect(withdrawn).toMatchObject({ state: 'withdrawn', nextDue: null, closedAt: fixture.now.toISOString() });
    expect(withdrawn.letters.map(({ kind }) => kind)).toEqual(['received', 'withdrawn']);
    expect(await complaints.kindsTo(id, userId)).toEqual(['complaint_received', 'complaint_withdrawn']);
    expect((await withdraw()).version).toBe(withdrawn.version);
    const seen = await complaints.view(id);
    expect(seen).toMatchObject({ state: 'withdrawn', next_due: null, actions: [] });
    expect(seen.clocks[0]?.done_at).toBe(fixture.now.toISOString());
    fixture.now = new Date(fixture.now.getTime() + 100 * dayMs);
    await sweepComplaints(fixture.context);
    expect((await complaints.view(id)).reminders).toEqual([]);
    await expect(complaints.conclude(id)).rejects.toMatchObject({ code: 'complaint_overtaken' });
    expect((await complaints.report(transferId)).id).not.toBe(id);
  });

  it('keeps a pending result as a note, and cannot be withdrawn once the result was sent', async () => {
    const transferId = await complaints.createPaid();
    const { id: complaintId } = await complaints.report(transferId);
    const { userId } = await fixture.see(transferId);
    await complaints.conclude(complaintId, { remedy: 'refund', amount: 9_000n });
    await withdrawComplaint(fixture.database, { userId, complaintId, at: fixture.now });
    expect(await complaints.view(complaintId)).toMatchObject({
      state: 'withdrawn',
      notes: [{ text: 'Tenías razón.' }],
    });
    await expect(complaints.approve(complaintId)).rejects.toMatchObject({ code: 'complaint_overtaken' });
    expect(await fixture.operations(transferId, 'refund')).toEqual([]);
    const other = await complaints.report(transferId, 'late');
    await complaints.conclude(other.id, { finding: 'no_error' });
    const late = withdrawComplaint(fixture.database, { userId, complaintId: other.id, at: fixture.now });
    await expect(late).rejects.toEqual(refusal('complaint_decided'));
  });

  it('cannot be withdrawn by another user', async () => {
    const { id: complaintId } = await complaints.report(await complaints.createPaid());
    const foreign = withdrawComplaint(fixture.database, { userId: desk.ana, complaintId, at: fixture.now });
    await expect(foreign).rejects.toEqual(refusal('not_found'));
  });
});
