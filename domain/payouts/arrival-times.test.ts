import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayMs, minuteMs } from '#core/time/time';
import type { Database } from '#platform/database/database';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { createTestUser } from '../../testing/accounts.ts';
import { openDatabase } from '../../testing/database.ts';
import { makeMove, openTestTransfer, testTarget } from '../../testing/transfers.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { readArrivalTimes } from './arrival-times.ts';

let testDatabase: TestDatabase;
let database: Database;
let userId: string;
const recipientId = randomUUID();

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.url);
  userId = (await createTestUser(database)).id;
  await database.fork().execute(
    `insert into recipient (id, user_id, name, email, phone, ci, bank_name, bank_account, address, city, relationship,
       created_at) values (?, ?, '', '', '', '', '', '', '', '', '', now())`,
    [recipientId, userId],
  );
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

/** A transfer paid at a moment and deposited `minutes` later. */
async function deposit({ paidAt, minutes, bankName }: { paidAt: Date; minutes: number; bankName: string }) {
  const target = { ...testTarget, bankName };
  const { id } = await database.transaction(async (em) =>
    openTestTransfer(em, { userId, recipient: { id: recipientId, target } }),
  );
  await makeMove(database, id, 'hold', { paidAt });
  for (const name of ['approve', 'capture'] as const) await makeMove(database, id, name);
  const at = new Date(paidAt.getTime() + minutes * minuteMs);
  await database.transaction((em) => moveTransfer(em, id, 'pay_out', { at, changes: { payoutReference: `BU-${id}` } }));
}

const noon = new Date('2026-11-20T16:00:00.000Z');
const evening = new Date('2026-11-20T23:00:00.000Z');

test('arrival times are the median and 90th percentile of a bank’s last payouts, by quarter of the day if ten are known', async () => {
  // 10, 20 … 100 minutes at noon in La Paz, and two from the evening that took a day.
  for (let minutes = 10; minutes <= 100; minutes += 10)
    await deposit({ paidAt: noon, minutes, bankName: 'Banco Unión' });
  for (const minutes of [1440, 1500]) await deposit({ paidAt: evening, minutes, bankName: 'Banco Unión' });
  // Nine payouts of a bank are too few; such a bank is not shown.
  for (let count = 0; count < 9; count++) await deposit({ paidAt: noon, minutes: 5, bankName: 'BancoSol' });
  for (let count = 0; count < 10; count++) await deposit({ paidAt: noon, minutes: 5, bankName: 'Caja de mi tía' });
  const now = new Date(noon.getTime() + 2 * dayMs);
  const union = { bank: 'Banco Unión' };
  expect(await readArrivalTimes(database.fork(), now)).toEqual([
    { ...union, quarter: null, count: 12, medianMinutes: 60, ninetiethMinutes: 1440 },
    { ...union, quarter: 2, count: 10, medianMinutes: 50, ninetiethMinutes: 90 },
  ]);
  // A month later none of them counts as recent.
  expect(await readArrivalTimes(database.fork(), new Date(now.getTime() + 31 * dayMs))).toEqual([]);
});
