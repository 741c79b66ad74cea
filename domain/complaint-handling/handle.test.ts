import { describe, expect, it } from 'vitest';
import { dayMs } from '#core/time/time';
import { useComplaintFixture } from '../../testing/complaint-fixture.ts';
import { refusal } from '../../testing/desk-fixture.ts';
import { findComplaintPage } from '../complaints/complaint.repository.ts';
import { assignComplaint, holdComplaint, noteComplaint, viewComplaint } from './handle.ts';

const complaints = useComplaintFixture();
const { payments: fixture } = complaints;
/** Refunds a part, 2.50 EUR. */
const part = { remedy: 'refund', amount: 250n } as const;

describe('an admin', () => {
  it('claims a report, releases it and adds notes, and every change increments the version', async () => {
    const { id, version } = await complaints.report(await complaints.createPaid());
    const taken = await assignComplaint(fixture.database, { ...complaints.by(id), mine: true });
    expect(taken).toMatchObject({ assigned_to: 'Ana', version: version + 1 });
    const noted = await noteComplaint(fixture.database, { ...complaints.by(id), text: 'Llamé al banco.' });
    expect(noted).toMatchObject({ notes: [{ text: 'Llamé al banco.', author: 'Ana' }], version: version + 2 });
    expect(await assignComplaint(fixture.database, { ...complaints.by(id), mine: false })).toMatchObject({
      assigned_to: null,
    });
  });

  it('can once explain a delay, which extends the deadline from 15 to 35 business days', async () => {
    const { id, nextDue } = await complaints.report(await complaints.createPaid());
    const hold = () => holdComplaint(fixture.database, { ...complaints.by(id), reason: 'Esperamos al banco.' });
    const held = await hold();
    expect(held.letters.map(({ kind }) => kind)).toEqual(['received', 'delayed']);
    expect(held.actions).toEqual(['conclude']);
    const days = (Date.parse(held.next_due?.at ?? '') - Date.parse(nextDue?.at ?? '')) / dayMs;
    expect(Math.round(days)).toBeGreaterThanOrEqual(28);
    await expect(hold()).rejects.toEqual(refusal('complaint_overtaken'));
  });

  it('cannot do so under Regulation E, which has no such reply', async () => {
    const { id } = await complaints.report(await complaints.fromUnitedStates(await complaints.createPaid()));
    expect((await complaints.view(id)).actions).toEqual(['conclude']);
    const held = holdComplaint(fixture.database, { ...complaints.by(id), reason: 'Esperamos al banco.' });
    await expect(held).rejects.toMatchObject({ code: 'complaint_overtaken', details: { complaint: { id } } });
  });

  it('cannot act on their own transfer', async () => {
    const transferId = await complaints.createPaid();
    const { id } = await complaints.report(transferId);
    const { userId } = await fixture.see(transferId);
    expect((await viewComplaint(fixture.database.fork(), complaints.by(id, userId))).actions).toEqual([]);
    await expect(complaints.conclude(id, part, userId)).rejects.toEqual(refusal('own_transfer'));
    const held = holdComplaint(fixture.database, { ...complaints.by(id, userId), reason: 'Espera.' });
    await expect(held).rejects.toEqual(refusal('own_transfer'));
  });

  it('sees the open reports in the order of their next deadlines', async () => {
    const american = await complaints.report(await complaints.fromUnitedStates(await complaints.createPaid()));
    const european = await complaints.report(await complaints.createPaid());
    const { rows } = await findComplaintPage(fixture.database.fork(), { status: 'open', limit: 100 });
    const ids = rows.map(({ id }) => id);
    expect(ids.indexOf(european.id)).toBeLessThan(ids.indexOf(american.id));
    expect(rows.map(({ nextDueAt }) => nextDueAt)).toEqual(
      rows.map(({ nextDueAt }) => nextDueAt).toSorted((a, b) => Number(a) - Number(b)),
    );
  });
});
