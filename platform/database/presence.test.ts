import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { createLogger } from '../logging.ts';
import { isGoneSql, Presence } from './presence.ts';

const log = createLogger('platform', 'silent');
const waiting = { timeout: 15_000, interval: 20 };
let testDatabase: TestDatabase;
let client: Client;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  client = new Client({ connectionString: testDatabase.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await testDatabase.drop();
});

async function isGone(number: number): Promise<boolean> {
  const { rows } = await client.query<{ gone: boolean }>(`select ${isGoneSql('$1::int')} as gone`, [number]);
  return rows[0]?.gone ?? false;
}

test('a process is there for the others from its start until its end', async () => {
  const [one, other] = [await Presence.open(testDatabase.url, log), await Presence.open(testDatabase.url, log)];
  expect([await isGone(one.number), await isGone(other.number)]).toEqual([false, false]);
  await one.close();
  await expect.poll(() => isGone(one.number), waiting).toBe(true);
  expect(await isGone(other.number)).toBe(false);
  await other.close();
});

test('a process that lost its connection is there again under the same number', async () => {
  const presence = await Presence.open(testDatabase.url, log);
  await testDatabase.asOwner(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = ${presence.number}`,
  );
  await expect.poll(() => isGone(presence.number), waiting).toBe(true);
  await expect.poll(() => isGone(presence.number), waiting).toBe(false);
  await presence.close();
});
