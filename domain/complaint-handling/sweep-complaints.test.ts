import { describe, expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs } from '#core/time/time';
import { useComplaintFixture } from '../../testing/complaint-fixture.ts';
import { findComplaintPage } from '../complaints/complaint.repository.ts';
import { holdComplaint } from './handle.ts';
import { sweepComplaints } from './sweep-complaints.ts';

const complaints = useComplaintFixture();
const { desk, payments: fixture } = complaints;

describe('deadlines', () => {
  it('are e-mailed to every admin once when near and once when missed, and the recipients are recorded', async () => {
    const { id, nextDue } = await complaints.report(await complaints.createPaid());
    const dueAt = Date.parse(nextDue?.at ?? '');
    await sweepComplaints(fixture.context);
    expect((await complaints.view(id)).reminders).toEqual([]);
    for (const moment of [dueAt - 3 * dayMs, dueAt - dayMs, dueAt, dueAt + 1, dueAt + dayMs]) {
      fixture.now = new Date(moment);
      await Promise.all([sweepComplaints(fixture.context), sweepComplaints(fixture.context)]);
    }
    const { reminders } = await complaints.view(id);
    expect(reminders).toMatchObject([
      { clock: 'answer', stage: 'near', at: new Date(dueAt - 3 * dayMs).toISOString(), due_at: nextDue?.at },
      { clock: 'answer', stage: 'overdue', at: new Date(dueAt + 1).toISOString() },
    ]);
    expect(reminders[0]?.told.toSorted()).toEqual(['Ana', 'Luis']);
    expect(await complaints.kindsTo(id, desk.ana)).toEqual(['complaint_opened', 'complaint_due', 'complaint_due']);
  });

  it('that a reply extended trigger a new reminder', async () => {
    const { id, nextDue } = await complaints.report(await complaints.createPaid());
    fixture.now = new Date(Date.parse(nextDue?.at ?? '') - hourMs);
    await sweepComplaints(fixture.context);
    await holdComplaint(fixture.database, { ...complaints.by(id), reason: 'Esperamos al banco.' });
    const moved = Date.parse((await complaints.view(id)).next_due?.at ?? '');
    fixture.now = new Date(moved - hourMs);
    await sweepComplaints(fixture.context);
    const { reminders } = await complaints.view(id);
    expect(reminders.map(({ stage, due_at }) => [stage, due_at])).toEqual([
      ['near', nextDue?.at],
      ['near', new Date(moved).toISOString()],
    ]);
  });

  it('of a closed report trigger no reminder', async () => {
    const { id, nextDue } = await complaints.report(await complaints.createPaid());
    await complaints.conclude(id, { finding: 'no_error' });
    fixture.now = new Date(Date.parse(nextDue?.at ?? '') + minuteMs);
    await sweepComplaints(fixture.context);
    expect((await complaints.view(id)).reminders).toEqual([]);
  });

  it('of Regulation E follow each other: 90 days to investigate, 3 business days to notify the sender, one to correct', async () => {
    fixture.now = new Date('2026-11-23T14:00:00Z');
    const transferId = await complaints.fromUnitedStates(await complaints.createPaid());
    const { userId } = await fixture.see(transferId);
    const { id } = await complaints.report(transferId);
    /** The next deadline and whether it has passed, as listed at a moment, after the sweep. */
    const at = async (moment: string) => {
      fixture.now = new Date(moment);
      await sweepComplaints(fixture.context);
      const { next_due: next, reminders } = await complaints.view(id);
      const last = reminders.at(-1);
      const { rows } = await findComplaintPage(fixture.database.fork(), { status: 'open', limit: 100 });
      expect(rows.find((one) => one.id === id)?.nextDueAt?.toISOString()).toBe(next?.at);
      return [next && `${next.clock} ${next.at}`, last && `${last.clock} ${last.stage}`];
    };
    const investigate = 'investigate 2027-02-21T22:00:00.000Z';
    expect(await at('2027-02-11T21:59:59Z')).toEqual([investigate, undefined]);
    expect(await at('2027-02-11T22:00:00Z')).toEqual([investigate, 'investigate near']);
    expect(await at('2027-02-21T22:00:00.001Z')).toEqual([investigate, 'investigate overdue']);
    // Found on a Monday; the second person agrees too late.
    fixture.now = new Date('2027-02-22T15:00:00Z');
    await complaints.conclude(id, { remedy: 'refund', amount: 9_000n });
    const tell = 'tell 2027-02-25T22:00:00.000Z';
    expect(await at('2027-02-24T21:59:59Z')).toEqual([tell, 'investigate overdue']);
    expect(await at('2027-02-24T22:00:00Z')).toEqual([tell, 'tell near']);
    expect(await complaints.kindsTo(id, userId)).toEqual(['complaint_received']);
    expect(await at('2027-02-25T22:00:00.001Z')).toEqual([tell, 'tell overdue']);
    fixture.now = new Date('2027-02-26T15:00:00Z');
    await complaints.approve(id, desk.luis);
    expect(await complaints.kindsTo(id, userId)).toEqual(['complaint_received', 'complaint_result']);
    // Over the weekend.
    const correct = 'correct 2027-03-01T22:00:00.000Z';
    expect(await at('2027-03-01T18:00:00Z')).toEqual([correct, 'correct near']);
    expect(await at('2027-03-01T22:00:00.001Z')).toEqual([correct, 'correct overdue']);
    const { reminders, clocks } = await complaints.view(id);
    for (const { told } of reminders) expect(told.toSorted()).toEqual(['Ana', 'Luis']);
    expect(clocks.map(({ name, due_at, done_at }) => [name, (done_at ?? fixture.now.toISOString()) > due_at])).toEqual([
      ['investigate', true],
      ['tell', true],
      ['correct', true],
    ]);
    const due = Array.from({ length: 6 }, () => 'complaint_due');
    expect(await complaints.kindsTo(id, desk.ana)).toEqual(['complaint_opened', ...due]);
    expect((await complaints.kindsTo(id, desk.luis)).filter((kind) => kind === 'complaint_due')).toEqual(due);
  });
});
