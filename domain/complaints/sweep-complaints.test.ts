import { describe, expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs } from '#core/time/time';
import { useComplaintFixture } from '../testing/complaint-fixture.ts';
import { holdComplaint } from './handle.ts';
import { sweepComplaints } from './sweep-complaints.ts';

const complaints = useComplaintFixture();
const { desk, payments: fixture } = complaints;

describe('deadlines', () => {
  it('are written to every admin when they come near and when they have passed, once each, with whom', async () => {
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

  it('that a reply moved are written about anew', async () => {
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

  it('of a report that is closed are written about no more', async () => {
    const { id, nextDue } = await complaints.report(await complaints.createPaid());
    await complaints.conclude(id, { finding: 'no_error' });
    fixture.now = new Date(Date.parse(nextDue?.at ?? '') + minuteMs);
    await sweepComplaints(fixture.context);
    expect((await complaints.view(id)).reminders).toEqual([]);
  });
});
