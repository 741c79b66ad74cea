import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rateBoard } from '#core/contracts/http/rates';
import { fallbackEurUsd, parseRate, type Rate } from '#core/rates/rate';
import { dayMs } from '#core/time/time';
import { Database } from '#platform/database/database';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { openDatabase } from '../database.ts';
import { createTestUser } from '../testing/accounts.ts';
import { testMoment } from '../testing/transfers.ts';
import { currentRates, setRate, toRateBoard } from './current-rates.ts';
import { RateEntry } from './rate.entity.ts';

let testDatabase: TestDatabase;
let database: Database;
let adminId: string;

// Rates cannot be deleted, so each test has its own database.
beforeEach(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.url, { poolMax: 4 });
  adminId = (await createTestUser(database, { role: 'admin' })).id;
});
afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

const set = (currency: 'USD' | 'EUR', rate: string, at = testMoment) =>
  database.transaction((em) => setRate(em, { currency, rate: parseRate(rate) as Rate, setById: adminId, at }));
const pauseAfterMs = dayMs;
const current = (now = testMoment) => currentRates(database.fork(), { now, pauseAfterMs });
const later = new Date(testMoment.getTime() + 1000);

describe('the rates in force', () => {
  test('are none before a dollar rate was ever set, even with one for euros', async () => {
    expect(await current()).toBeNull();
    await set('EUR', '13.38');
    expect(await current()).toBeNull();
  });

  test('are the newest set of each currency', async () => {
    await set('USD', '11.50');
    await set('EUR', '13.30');
    await set('USD', '11.60', later);
    expect(await current()).toEqual({
      USD: { currency: 'USD', rate: 11_600_000n, since: later, source: 'admin', marketSeenAt: null, paused: false },
      EUR: {
        currency: 'EUR',
        rate: 13_300_000n,
        since: testMoment,
        source: 'admin',
        marketSeenAt: null,
        paused: false,
      },
      eurUsd: fallbackEurUsd,
    });
  });

  test('are the last that was set also when clocks disagree', async () => {
    await set('USD', '11.60', later);
    await set('USD', '11.50', testMoment);
    expect((await current())?.USD.rate).toBe(11_500_000n);
  });

  test('for a euro without its own follow the dollar at 1.10', async () => {
    await set('USD', '11.60');
    expect((await current())?.EUR).toEqual({
      currency: 'EUR',
      rate: 12_760_000n,
      since: testMoment,
      source: 'derived',
      marketSeenAt: null,
      paused: false,
    });
    await set('USD', '11.555');
    expect((await current())?.EUR.rate).toBe(12_710_500n);
  });

  test('go over the wire as the contract says', async () => {
    await set('USD', '11.60');
    const board = toRateBoard((await current()) as NonNullable<Awaited<ReturnType<typeof current>>>);
    expect(rateBoard.parse(board)).toEqual(board);
    expect(board).toMatchObject({
      currency: 'USD',
      rate: '11.60',
      lastUpdated: testMoment.toISOString(),
      rates: { USD: { source: 'admin' }, EUR: { rate: '12.76', source: 'derived' } },
    });
  });
});

test('setting a rate writes who and when, and tells every browser', async () => {
  await set('USD', '11.60');
  const em = database.fork();
  expect(await em.find(RateEntry, {})).toMatchObject([{ setById: adminId, createdAt: testMoment, rate: 11_600_000n }]);
  expect(await em.find(OutboxRow, {}, { orderBy: { name: 'asc' } })).toMatchObject([
    { kind: 'job', name: 'fire-rate-alerts' },
    { kind: 'push', name: 'rate-changed', data: {} },
    { kind: 'job', name: 'watch-rates' },
  ]);
});

test('rates cannot be rewritten, nor be nothing or less', async () => {
  await set('USD', '11.60');
  const execute = (sql: string) => database.fork().execute(sql, [adminId]);
  for (const rewriting of ['update rate set rate = 1', 'delete from rate', 'truncate rate']) {
    await expect(database.fork().execute(rewriting)).rejects.toThrow('rate is append-only');
  }
  for (const rate of [0, -1]) {
    const insert = `insert into rate (currency, rate, set_by_id, created_at) values ('USD', ${rate}, ?, now())`;
    await expect(execute(insert)).rejects.toThrow('rate_rate_check');
  }
  expect(await database.fork().count(RateEntry)).toBe(1);
});
