import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { dayMs } from '#core/time/time';
import { refusal, useDeskFixture } from '../../testing/desk-fixture.ts';
import { openCase } from '../desk/desk-case.repository.ts';
import { remindOfCases } from '../desk/remind-of-cases.ts';
import { Email } from '../emails/email.entity.ts';
import { noteCase, takeCase } from './desk.ts';

const desk = useDeskFixture();
const { payments: fixture } = desk;

describe('the desk', () => {
  it('assigns cases and adds notes, incrementing the version', async () => {
    const id = await desk.createRefused();
    const { id: caseId, version } = await desk.caseOf(id);
    const viewer = { viewerId: desk.ana, at: fixture.now };
    const taken = await takeCase(fixture.database, { caseId, mine: true, ...viewer });
    expect(taken).toMatchObject({ assigned_to: 'Ana', assigned_to_id: desk.ana, version: version + 1 });
    const noted = await noteCase(fixture.database, { caseId, text: 'Llamé al banco.', ...viewer });
    expect(noted.notes).toMatchObject([{ text: 'Llamé al banco.', author: 'Ana' }]);
    const left = await takeCase(fixture.database, { caseId, mine: false, ...viewer });
    expect(left.assigned_to_id).toBeNull();
    await desk.act(id, 'give_up_and_refund');
    await expect(takeCase(fixture.database, { caseId, mine: true, ...viewer })).rejects.toEqual(
      refusal('case_resolved'),
    );
    const unknown = { caseId: randomUUID(), mine: true, ...viewer };
    await expect(takeCase(fixture.database, unknown)).rejects.toEqual(refusal('not_found'));
  });

  it('closes a case that needs no further action, with a reason', async () => {
    const id = await fixture.create({ state: 'captured' });
    await fixture.database.transaction((em) =>
      openCase(em, { transferId: id, reason: 'contradiction', at: fixture.now }),
    );
    expect(await desk.act(id, 'resolve')).toMatchObject({ resolution: 'Lo pidió el banco', actions: [] });
    await expect(desk.act(id, 'resolve')).rejects.toEqual(refusal('case_resolved'));
  });

  it('reuses an open case when the same happens again', async () => {
    const id = await desk.createRefused();
    await desk.act(id, 'retry');
    fixture.bank.failNext({ kind: 'error', status: 400, path: '^/bank/' });
    await fixture.run(id, 'payout');
    fixture.later(fixture.context.bank.completionWindowMs);
    await fixture.run(id, 'payout');
    const [, second] = await desk.payoutsOf(id);
    const found = await desk.caseOf(id);
    expect(found).toMatchObject({ operationId: second?.id, details: expect.stringContaining('the bank answered 400') });
    expect(found.version).toBeGreaterThan(1);
    expect(await fixture.openCases(id)).toEqual(['operation_refused']);
  });
});

describe('the people a case concerns', () => {
  const emailsAbout = async (id: string) => {
    const { id: caseId } = await desk.caseOf(id);
    const emails = await fixture.database.fork().find(Email, { key: { $like: `%${caseId}%` } });
    return emails.map(({ kind, userId }) => [kind, userId]).sort();
  };

  it('are notified once when it opens, and admins again after a day', async () => {
    const id = await desk.createRejected();
    const { userId: sender } = await fixture.see(id);
    const admins = [
      desk.ana,
      desk.luis,
      ...(await fixture.database.fork().execute<{ id: string }[]>("select id from app_user where role = 'admin'")).map(
        (one) => one.id,
      ),
    ];
    const all = [...new Set(admins)];
    const opened = all.map((admin) => ['case_opened', admin]).sort();
    const toSender = await fixture.database.fork().find(Email, { kind: 'payout_failed', data: { transferId: id } });
    expect(toSender.map(({ userId }) => userId)).toEqual([sender]);
    expect(await emailsAbout(id)).toEqual(opened);
    await remindOfCases(fixture.context);
    expect(await emailsAbout(id)).toEqual(opened);
    fixture.now = new Date(fixture.now.getTime() + dayMs);
    await Promise.all([remindOfCases(fixture.context), remindOfCases(fixture.context)]);
    await remindOfCases(fixture.context);
    expect(await emailsAbout(id)).toEqual([...opened, ...all.map((admin) => ['case_old', admin])].sort());
  });

  it('are not reminded of a closed case', async () => {
    const id = await desk.createRejected();
    await desk.act(id, 'give_up_and_refund');
    fixture.now = new Date(fixture.now.getTime() + dayMs);
    await remindOfCases(fixture.context);
    expect((await emailsAbout(id)).map(([kind]) => kind)).not.toContain('case_old');
  });
});
