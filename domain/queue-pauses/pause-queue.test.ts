import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '#platform/database/database';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { createTestUser } from '../../testing/accounts.ts';
import { openDatabase } from '../../testing/database.ts';
import type { User } from '../accounts/account.entity.ts';
import { AuditEntry } from '../audit/audit.entity.ts';
import { pauseQueue, resumeQueue, viewQueuePauses } from './pause-queue.ts';
import { isQueuePaused } from './queue-pause.repository.ts';

let database: Database;
let ana: User;
const at = new Date('2027-03-02T12:00:00.000Z');

beforeAll(async () => {
  database = await openDatabase((await createTestDatabase()).url);
  ana = await createTestUser(database, { role: 'admin', name: 'Ana' });
});
beforeEach(() => database.fork().nativeDelete(OutboxRow, {}));
afterAll(() => database?.close());

const pause = (when = at) =>
  database.transaction((em) => pauseQueue(em, { queue: 'payouts', personId: ana.id, at: when }));
const resume = () => database.transaction((em) => resumeQueue(em, 'payouts'));
const pushes = async () => (await database.fork().find(OutboxRow, {})).map(({ name }) => name);
const audited = async () => {
  const entries = await database.fork().find(AuditEntry, { subject: 'payouts' }, { orderBy: { at: 'asc' } });
  return entries.map(({ kind }) => kind);
};

test('a queue is paused and resumed once, each with an audit log entry and a push to admins', async () => {
  await pause();
  await pause(new Date(at.getTime() + 1_000));
  expect(await viewQueuePauses(database.fork())).toEqual([
    { queue: 'payouts', paused_at: at.toISOString(), paused_by: 'Ana', paused_by_id: ana.id },
  ]);
  expect(await isQueuePaused(database.fork(), 'payouts')).toBe(true);
  expect(await isQueuePaused(database.fork(), 'emails')).toBe(false);
  expect([await pushes(), await audited()]).toEqual([['queue-pauses-changed'], ['queue_paused']]);
  expect(await resume()).toMatchObject({ pausedById: ana.id, pausedAt: at });
  expect(await resume()).toBeNull();
  expect(await isQueuePaused(database.fork(), 'payouts')).toBe(false);
  expect([(await pushes()).length, await audited()]).toEqual([2, ['queue_paused', 'queue_resumed']]);
});
