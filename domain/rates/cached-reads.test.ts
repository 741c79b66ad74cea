import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Rate } from '#core/rates/rate';
import type { Database } from '#platform/database/database';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { createTestUser } from '../../testing/accounts.ts';
import { observeMarket } from '../../testing/market.ts';
import { testMoment } from '../../testing/transfers.ts';
import { openDatabase } from '../database.ts';
import { CachedReads } from './cached-reads.ts';
import { PublicRates } from './public-rates.ts';
import { setRate } from './set-rate.ts';

let testDatabase: TestDatabase;
let database: Database;
/** Another process that changes rates. */
let elsewhere: Database;
let adminId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.url, { poolMax: 4 });
  elsewhere = await openDatabase(testDatabase.url, { poolMax: 2 });
  adminId = (await createTestUser(elsewhere, { role: 'admin' })).id;
});
afterAll(async () => {
  await database.close();
  await elsewhere.close();
  await testDatabase.drop();
});

let reads: CachedReads;
let loads: number;
beforeEach(() => {
  reads = new CachedReads(database);
  loads = 0;
});
const read = () => reads.read('key', async () => ++loads);
const set = (rate: bigint) =>
  elsewhere.transaction((em) => setRate(em, { currency: 'USD', rate: rate as Rate, setById: adminId, at: testMoment }));

test('a cached read is loaded once for all callers until a rate or an observation is added', async () => {
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
  expect(await read()).toBe(1);
  await set(11_500_000n);
  expect(await Promise.all([read(), read()])).toEqual([2, 2]);
  await observeMarket(elsewhere, { rate: 11_600_000n, at: testMoment });
  expect(await read()).toBe(3);
});

test('a cached read that starts after a rate was set never returns the previous value', async () => {
  const publicRates = new PublicRates(database, { everyMs: 7_200_000, pauseAfterMs: 86_400_000 });
  for (let cents = 1n; cents <= 20n; cents++) {
    const underWay = [publicRates.current(), publicRates.current()];
    const rate = 11_500_000n + cents * 10_000n;
    await set(rate);
    const found = await Promise.all([publicRates.current(), publicRates.current()]);
    expect(found.map(({ rates }) => rates.USD.rate)).toEqual([rate, rate]);
    await Promise.all(underWay);
  }
});

test('concurrent cached reads share the query for changes', async () => {
  await read();
  const queries = vi.spyOn(await database.pool(), 'query');
  try {
    await Promise.all(Array.from({ length: 50 }, read));
    // One query was running for the first; all others waited for the next.
    expect(queries).toHaveBeenCalledTimes(2);
  } finally {
    queries.mockRestore();
  }
});

test('a failed load fails the reads that wait for it, and the next read loads again', async () => {
  await expect(reads.read('broken', () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  expect(await reads.read('broken', async () => 'found')).toBe('found');
});
