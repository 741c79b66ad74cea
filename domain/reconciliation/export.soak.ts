import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { laPazDay } from '#core/time/time';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { openDatabase } from '../database.ts';
import { createTestUser } from '../testing/accounts.ts';
import { openTestTransfer } from '../testing/transfers.ts';
import { exportCsv } from './export.repository.ts';

const rows = 100_000;
/** What an export may hold in memory at most besides what the process has anyway, however many rows it has. */
const mostBytes = 24 * 1024 * 1024;

test('an export of 100,000 transfers of one day is streamed without growing memory', async () => {
  const testDatabase = await createTestDatabase();
  // As the owner, who may leave out what else a new transfer brings.
  const database = await openDatabase(testDatabase.ownerUrl, { poolMax: 2, withoutTimeouts: true });
  onTestFinished(async () => {
    await database.close();
    await testDatabase.drop();
  });
  const { id: userId } = await createTestUser(database);
  const { id, createdAt } = await database.transaction(async (em) => openTestTransfer(em, { userId }));
  const em = database.fork();
  await em.execute('alter table transfer disable trigger user');
  await em.execute(
    `insert into transfer select made.* from transfer as t, generate_series(1, ?) as number, lateral jsonb_populate_record(null::transfer,
       to_jsonb(t) || jsonb_build_object('id', md5(number::text)::uuid, 'payment_intent_id', null)) as made where t.id = ?`,
    [rows, id],
  );
  await em.execute('analyze transfer');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const day = laPazDay(createdAt);
  const began = performance.now();
  collect();
  const before = process.memoryUsage().heapUsed;
  const used: number[] = [];
  let [lines, bytes] = [0, 0];
  for await (const chunk of exportCsv(database, 'transfers', { from: day, to: day })) {
    const text = String(chunk);
    bytes += text.length;
    for (const sign of text) if (sign === '\n') lines += 1;
    if (lines % 5000 < 10 && used.length < lines / 5000) {
      collect();
      used.push(process.memoryUsage().heapUsed - before);
    }
  }
  const megabytes = (value: number) => (value / 1024 / 1024).toFixed(1);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(
    `${lines} lines, ${megabytes(bytes)} MB in ${seconds} s; heap above the start: ${megabytes(Math.max(...used))} MB at most, ${megabytes(used.at(-1) ?? 0)} MB at the end`,
  );
  expect(lines).toBe(rows + 2);
  expect(Math.max(...used)).toBeLessThan(mostBytes);
});
