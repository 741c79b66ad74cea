import { describe, expect, test } from 'vitest';
import { dayMs } from '#core/time/time';
import { DeskCase } from '#domain/desk/desk-case.entity';
import { openCase } from '#domain/desk/desk-case.repository';
import { Email } from '#domain/emails/email.entity';
import type { JobContext } from '#domain/jobs/job-context';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { createTestUser } from '../testing/accounts.ts';
import { runJob } from './handlers.ts';
import { sweepAll, sweeps } from './sweeps.ts';
import { useTransferFixture } from './testing/transfer-fixture.ts';

test('what one sweep fails at keeps no other from looking', async () => {
  const away = () => {
    throw new Error('the database is away');
  };
  const database = new Proxy({}, { get: () => away });
  const context = { database, watchman: {}, now: () => new Date(), sweepEveryMs: 30_000 } as unknown as JobContext;
  const failure = await runJob(context, { name: 'sweep-all', data: {} }).catch((error: AggregateError) => error);
  expect(failure).toMatchObject({ errors: Object.keys(sweeps).map(() => expect.any(Error)) });
});

describe('the sweeps', () => {
  const fixture = useTransferFixture();
  const sweep = () => sweepAll(fixture.context);
  const written = (kind: string) => fixture.database.fork().count(Email, { kind: kind as never });
  const openOn = async (id: string, reason: 'operation_slow' | 'contradiction') => {
    const [capture] = await fixture.operations(id, 'capture');
    const about = { transferId: id, operationId: capture?.id ?? '', reason, at: fixture.now };
    await fixture.database.transaction((em) => openCase(em, about));
  };

  test('add only the jobs of operations that are in no queue any more', async () => {
    const [lost, known] = [await fixture.create({ state: 'approved' }), await fixture.create({ state: 'approved' })];
    await fixture.database.fork().nativeDelete(OutboxRow, {});
    fixture.later(dayMs / 24);
    const [capture] = await fixture.operations(lost, 'capture');
    const [other] = await fixture.operations(known, 'capture');
    const queuedJobs = { has: async (_: string, jobId: string) => jobId === `run-card-operation-${other?.id}-1` };
    await sweepAll({ ...fixture.context, queuedJobs });
    const rows = await fixture.database.fork().find(OutboxRow, { kind: 'job', name: 'run-card-operation' });
    expect(rows.map(({ jobKey, data }) => [jobKey, data])).toEqual([
      [`run-card-operation-${capture?.id}-2`, { id: capture?.id, dispatch: 2, transferId: lost }],
    ]);
  });

  test('close cases that were opened while their transfer moved on', async () => {
    const id = await fixture.create({ state: 'captured' });
    await openOn(id, 'operation_slow');
    await sweep();
    expect(await fixture.openCases(id)).toEqual([]);
  });

  test('remind admins of old cases and of transfers that wait for a decision', async () => {
    await createTestUser(fixture.database, { role: 'admin', name: 'Ana' });
    const id = await fixture.create({ state: 'captured' });
    await openOn(id, 'contradiction');
    await fixture.create({ state: 'in_review' });
    fixture.later(2 * dayMs);
    await sweep();
    expect(await fixture.database.fork().count(DeskCase, { transferId: id, remindedAt: { $ne: null } })).toBe(1);
    expect(await written('transfers_waiting')).toBeGreaterThan(0);
  });

  test('give the money back of an account that was not corrected in time', async () => {
    const id = await fixture.create({ state: 'captured' });
    fixture.bank.setMode({ rejectNext: 1 });
    await fixture.run(id, 'payout');
    fixture.later(8 * dayMs);
    await sweep();
    expect((await fixture.see(id)).state).toBe('refunding');
  });
});
