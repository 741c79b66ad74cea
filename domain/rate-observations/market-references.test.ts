import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '#platform/database/database';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { observeMarket, testEveryMs } from '../../testing/market.ts';
import { openDatabase } from '../database.ts';
import { marketReferences, referenceRates } from './market-references.ts';

let testDatabase: TestDatabase;
let database: Database;
// Observations cannot be deleted, so each test has its own database.
beforeEach(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.url, { poolMax: 2 });
});
afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

const references = (now: Date) => referenceRates(database.fork(), now, testEveryMs);

test('without direct sources the euro’s reference uses the dollar and the ECB fixing, with their sources', async () => {
  const at = new Date('2026-11-20T18:00:00Z');
  await observeMarket(database, { rate: 11_600_000n, at });
  expect(await references(at)).toEqual({ USD: 11_600_000n, EUR: null });
  await observeMarket(database, { rate: 1_150_000n, at, pair: 'EUR/USD', asOf: '2026-11-20' });
  expect((await marketReferences(database.fork(), at, testEveryMs)).EUR).toEqual({
    rate: 13_340_000n,
    figures: [{ source: 'dolarApi', rate: 13_340_000n, observedAt: at }],
  });
});

test('an ECB fixing that is too old gives the euro no reference, so a change of its rate has stale sources', async () => {
  const end = new Date('2026-11-26T00:00:00Z');
  await observeMarket(database, { rate: 1_150_000n, at: end, pair: 'EUR/USD', asOf: '2026-11-20' });
  await observeMarket(database, { rate: 11_600_000n, at: end });
  expect(await references(new Date(end.getTime() - 1))).toEqual({ USD: 11_600_000n, EUR: 13_340_000n });
  expect(await references(end)).toEqual({ USD: 11_600_000n, EUR: null });
});

test('with direct sources the euro’s reference needs no ECB fixing', async () => {
  const at = new Date('2026-11-26T12:00:00Z');
  await observeMarket(database, { rate: 13_150_000n, at, pair: 'EUR/BOB' });
  expect(await references(at)).toEqual({ USD: null, EUR: 13_150_000n });
});
