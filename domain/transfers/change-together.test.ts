import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type Caller, runFor } from '#platform/caller';
import type { Database } from '#platform/database/database';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { AuditEntry } from '../audit/audit.entity.ts';
import { verifyAudit } from '../audit/verify.ts';
import { createTestUser } from '../testing/accounts.ts';
import { openDatabase } from '../testing/database.ts';
import { makeMove, testMoment, transferIn } from '../testing/transfers.ts';
import { moveAtOnce } from './move-transfer.ts';
import { Posting } from './posting.entity.ts';
import { Transfer, TransferStep } from './transfer.entity.ts';

let testDatabase: TestDatabase;
let database: Database;
let userId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.url);
  userId = (await createTestUser(database)).id;
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const several = (count: number, state: 'in_review' | 'approved') =>
  Promise.all(Array.from({ length: count }, () => transferIn(database, state, { userId })));
const statesOf = async (transfers: readonly Transfer[]) => {
  const now = await database.fork().find(Transfer, { id: { $in: transfers.map(({ id }) => id) } });
  return now.map(({ state }) => state);
};
const at = testMoment;

test('moves that are asked for at one moment are one statement, each with its own actor, columns, entry and audit', async () => {
  const transfers = await several(4, 'in_review');
  const actors = transfers.map(() => randomUUID());
  const callers = actors.map((personId) => ({ personId, role: 'admin', network: '', written: new Set<string>() }));
  const statement = vi.spyOn(database, 'statement');
  const approved = await Promise.all(
    transfers.map((transfer, index) => {
      const actorId = actors[index] as string;
      const audit = { kind: 'transfer_approved', detail: { index } } as const;
      const options = { at, actorId, changes: { reason: `of ${transfer.id}` }, audit };
      return runFor(callers[index] as Caller, () => moveAtOnce(database, transfer, 'approve', options));
    }),
  );
  expect(statement).toHaveBeenCalledOnce();
  const entries = await database.fork().find(AuditEntry, { actorId: { $in: actors } });
  expect(
    new Map(entries.map((entry) => [entry.subject, [entry.kind, entry.actorId, entry.actorRole, entry.detail]])),
  ).toEqual(
    new Map(
      transfers.map(({ id }, index) => [id, ['transfer_approved', actors[index], 'admin', `{"index":${index}}`]]),
    ),
  );
  expect(callers.every(({ written }) => written.has('transfer_approved'))).toBe(true);
  expect(await verifyAudit(database)).toMatchObject({ checked: 4, broken: null });
  expect(approved.map((one) => [one?.id, one?.state, one?.reason])).toEqual(
    transfers.map(({ id }) => [id, 'approved', `of ${id}`]),
  );
  const rows = await database.fork().find(Transfer, { id: { $in: transfers.map(({ id }) => id) } });
  expect(new Map(approved.map((one) => [one?.id, one]))).toEqual(new Map(rows.map((row) => [row.id, { ...row }])));
  const steps = await database.fork().find(TransferStep, { actorId: { $in: actors } });
  expect(new Map(steps.map(({ transferId, actorId }) => [transferId, actorId]))).toEqual(
    new Map(transfers.map(({ id }, index) => [id, actors[index]])),
  );
  await Promise.all(approved.map((one) => one && moveAtOnce(database, one, 'capture', { at })));
  expect(statement).toHaveBeenCalledTimes(2);
  const postings = await database.fork().find(Posting, { transferId: { $in: transfers.map(({ id }) => id) } });
  expect(Map.groupBy(postings, ({ transferId }) => transferId).size).toBe(4);
});

test('of two that ask at one moment for the same move of a transfer one makes it', async () => {
  const [transfer] = (await several(1, 'in_review')) as [Transfer];
  const actors = [randomUUID(), randomUUID()];
  const moved = await Promise.all(actors.map((actorId) => moveAtOnce(database, transfer, 'approve', { at, actorId })));
  expect(moved.map((one) => one?.state)).toEqual(['approved', undefined]);
  const [step] = await database.fork().find(TransferStep, { transferId: transfer.id, move: 'approve' });
  expect(step?.actorId).toBe(actors[0]);
});

test('a transfer that has changed since it was read is left out, and the others are moved', async () => {
  const transfers = await several(3, 'in_review');
  await makeMove(database, (transfers[1] as Transfer).id, 'reject');
  const audit = { kind: 'transfer_approved', detail: {} } as const;
  const moved = await Promise.all(
    transfers.map((transfer) => moveAtOnce(database, transfer, 'approve', { at, audit })),
  );
  expect(moved.map((one) => one?.state)).toEqual(['approved', undefined, 'approved']);
  const entries = await database.fork().find(AuditEntry, { subject: { $in: transfers.map(({ id }) => id) } });
  expect(entries.map(({ subject }) => subject).sort()).toEqual([transfers[0]?.id, transfers[2]?.id].sort());
});

test('a transfer whose books the database refuses fails alone', async () => {
  const transfers = await several(3, 'approved');
  const wrong = { ...(transfers[1] as Transfer), feeMinor: 1n } as Transfer;
  const asked = [transfers[0] as Transfer, wrong, transfers[2] as Transfer];
  const outcomes = await Promise.allSettled(asked.map((transfer) => moveAtOnce(database, transfer, 'capture', { at })));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect((await statesOf(transfers)).sort()).toEqual(['approved', 'captured', 'captured']);
});
