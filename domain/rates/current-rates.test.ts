import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rateBoard } from '#core/contracts/http/rates';
import { parseRate, type Rate } from '#core/rates/rate';
import { dayMs } from '#core/time/time';
import { Database } from '#platform/database/database';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { createTestUser } from '../../testing/accounts.ts';
import { observeMarket } from '../../testing/market.ts';
import { testMoment } from '../../testing/transfers.ts';
import { openDatabase } from '../database.ts';
import { currentRates } from './current-rates.ts';
import { RateEntry } from './rate.entity.ts';
import { toRateBoard } from './rate-views.ts';
import { setRate } from './set-rate.ts';

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
/** The ECB's fixing of a day, read on that day. The test's moment is a Friday. */
const fixing = (rate: bigint, asOf: string, at = new Date(`${asOf}T16:00:00Z`)) =>
  observeMarket(database, { rate, at, pair: 'EUR/USD', asOf });
const rateOfEur = async (now?: Date) => (await current(now))?.EUR;

describe('the rates in force', () => {
  test('do not exist before a dollar rate was set, even with one for euros', async () => {
    expect(await current()).toBeNull();
    await set('EUR', '13.38');
    expect(await current()).toBeNull();
  });

  test('are the newest ones set for each currency', async () => {
    await set('USD', '11.50');
    await set('EUR', '13.30');
    await set('USD', '11.60', later);
    const found = { source: 'admin', marketUpdatedAt: null, paused: false } as const;
    const pausesAt = (since: Date) => new Date(since.getTime() + pauseAfterMs);
    expect(await current()).toEqual({
      USD: { ...found, currency: 'USD', rate: 11_600_000n, since: later, pausesAt: pausesAt(later) },
      EUR: { ...found, currency: 'EUR', rate: 13_300_000n, since: testMoment, pausesAt: pausesAt(testMoment) },
      eurUsd: 1_146_551n,
    });
  });

  test('are the last ones set even when clocks disagree', async () => {
    await set('USD', '11.60', later);
    await set('USD', '11.50', testMoment);
    expect((await current())?.USD.rate).toBe(11_500_000n);
  });

  test('fit the contract of the API', async () => {
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

describe('a euro without a separate rate', () => {
  test('is quoted at 1.10 dollars but not payable until an ECB fixing is read', async () => {
    await set('USD', '11.60');
    expect(await rateOfEur()).toMatchObject({ rate: 12_760_000n, source: 'derived', since: testMoment, paused: true });
    await set('USD', '11.555');
    expect(await rateOfEur()).toMatchObject({ rate: 12_710_500n, paused: true });
  });

  test('follows the dollar through the newest ECB fixing', async () => {
    await set('USD', '11.60');
    await fixing(1_160_000n, '2026-11-20');
    expect(await rateOfEur()).toMatchObject({ rate: 13_456_000n, source: 'derived', paused: false });
    expect((await current())?.eurUsd).toBe(1_160_000n);
  });

  test('is not payable after the third weekday of an ECB fixing, whatever the dollar does', async () => {
    await fixing(1_160_000n, '2026-11-20');
    const lastMoment = new Date('2026-11-25T23:59:59.999Z');
    await set('USD', '11.60', lastMoment);
    await observeMarket(database, { rate: 11_600_000n, at: lastMoment });
    expect((await rateOfEur(lastMoment))?.paused).toBe(false);
    const end = new Date('2026-11-26T00:00:00.001Z');
    expect(await current(end)).toMatchObject({ USD: { paused: false }, EUR: { rate: 13_456_000n, paused: true } });
    // A newer fixing ends the pause.
    await fixing(1_170_000n, '2026-11-25', end);
    expect((await rateOfEur(end))?.paused).toBe(false);
  });

  test('is not payable with an ECB fixing that is still served long after its day', async () => {
    await set('USD', '11.60', new Date('2026-11-26T08:00:00Z'));
    await fixing(1_160_000n, '2026-11-20', new Date('2026-11-26T08:00:00Z'));
    expect((await rateOfEur(new Date('2026-11-26T08:00:00Z')))?.paused).toBe(true);
  });
});

describe('a euro with a separate rate', () => {
  test('stays payable without an ECB fixing, and limits follow the rates in force instead of a constant', async () => {
    await set('USD', '11.60');
    await set('EUR', '13.34');
    expect(await current()).toMatchObject({ EUR: { paused: false }, eurUsd: 1_150_000n });
  });

  test('is not kept fresh by news of the dollar once the ECB fixing is too old', async () => {
    await set('USD', '11.60');
    await set('EUR', '13.34');
    await fixing(1_160_000n, '2026-11-20');
    const now = new Date('2026-11-27T12:00:00Z');
    await observeMarket(database, { rate: 11_600_000n, at: now });
    expect(await current(now)).toMatchObject({
      USD: { marketUpdatedAt: now, paused: false },
      EUR: { marketUpdatedAt: new Date('2026-11-26T00:00:00Z'), paused: true },
      eurUsd: 1_150_000n,
    });
  });
});

test('setting a rate records who and when, and notifies every browser', async () => {
  await set('USD', '11.60');
  const em = database.fork();
  expect(await em.find(RateEntry, {})).toMatchObject([{ setById: adminId, createdAt: testMoment, rate: 11_600_000n }]);
  expect(await em.find(OutboxRow, {}, { orderBy: { name: 'asc' } })).toMatchObject([
    { kind: 'job', name: 'fire-rate-alerts' },
    { kind: 'push', name: 'rate-changed', data: {} },
    { kind: 'job', name: 'watch-rates' },
  ]);
});

test('rates can be neither changed nor zero or negative', async () => {
  await set('USD', '11.60');
  const execute = (sql: string) => database.fork().execute(sql, [adminId]);
  for (const rewriting of ['update rate set rate = 1', 'delete from rate', 'truncate rate']) {
    await expect(testDatabase.asOwner(rewriting)).rejects.toThrow('rate is append-only');
  }
  for (const rate of [0, -1]) {
    const insert = `insert into rate (currency, rate, set_by_id, created_at) values ('USD', ${rate}, ?, now())`;
    await expect(execute(insert)).rejects.toThrow('rate_rate_check');
  }
  expect(await database.fork().count(RateEntry)).toBe(1);
});
