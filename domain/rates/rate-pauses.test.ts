import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Rate } from '#core/rates/rate';
import type { Observation, ReferenceSource } from '#core/rates/sources';
import { hourMs } from '#core/time/time';
import { Database } from '#platform/database/database';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { createTestUser } from '../../testing/accounts.ts';
import { openDatabase } from '../database.ts';
import { Email } from '../emails/email.entity.ts';
import { finishRateRun, openRateRun } from '../rate-observations/rate-runs.ts';
import { currentRate, currentRates } from './current-rates.ts';
import { RatePause } from './rate.entity.ts';
import { recordPauses } from './rate-pauses.ts';
import { setRate } from './set-rate.ts';

let testDatabase: TestDatabase;
let database: Database;
let adminIds: string[];

// Rates and observations cannot be deleted, so each test has its own database.
beforeEach(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.url, { poolMax: 6 });
  adminIds = [];
  for (const role of ['admin', 'admin', 'user'] as const) {
    const { id } = await createTestUser(database, { role });
    if (role === 'admin') adminIds.push(id);
  }
});
afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

const start = new Date('2026-11-21T10:00:00Z');
const hoursOn = (hours: number, ms = 0) => new Date(start.getTime() + hours * hourMs + ms);
const moment = (now: Date) => ({ now, pauseAfterMs: 24 * hourMs });

const set = (currency: 'USD' | 'EUR', at: Date) =>
  database.transaction((em) =>
    setRate(em, { currency, rate: 12_000_000n as Rate, setById: adminIds[0] as string, at }),
  );
const reference = (
  source: ReferenceSource,
  rate: bigint,
  pair: 'USD/BOB' | 'EUR/BOB' | 'EUR/USD' = 'USD/BOB',
): Observation => ({ kind: 'reference', source, pair, rate: rate as Rate });
async function collect(at: Date, observations: Observation[]): Promise<void> {
  const { runId } = await database.transaction((em) =>
    openRateRun(em, { trigger: 'scheduled', everyMs: 2 * hourMs, at }),
  );
  const collected = observations.map((observation) => ({ observation, rawHash: 'hash', observedAt: at }));
  await database.transaction((em) => finishRateRun(em, runId, { collected, results: [], at }));
}
const watch = (now: Date) => database.transaction((em) => recordPauses(em, moment(now)));
const paused = async (now: Date) => {
  const rates = await currentRates(database.fork(), moment(now));
  return { USD: rates?.USD.paused, EUR: rates?.EUR.paused };
};
const pauses = () => database.fork().find(RatePause, {}, { orderBy: { id: 'asc' } });
const mails = (kind: string) => database.fork().find(Email, { kind });

describe('payments in a currency', () => {
  test('pause to the millisecond when neither an admin nor the market has updated the rate for a day', async () => {
    await set('USD', start);
    await set('EUR', hoursOn(3));
    expect(await paused(hoursOn(24))).toEqual({ USD: false, EUR: false });
    expect(await paused(hoursOn(24, 1))).toEqual({ USD: true, EUR: false });
    expect(await paused(hoursOn(27, 1))).toEqual({ USD: true, EUR: true });
    await set('USD', hoursOn(28));
    expect(await paused(hoursOn(28))).toEqual({ USD: false, EUR: true });
  });

  test('do not pause while the market updates the rate, and outliers do not update it', async () => {
    await set('USD', start);
    await collect(hoursOn(10), [reference('dolarApi', 11_500_000n)]);
    expect((await currentRate(database.fork(), 'USD', moment(hoursOn(11))))?.marketUpdatedAt).toEqual(hoursOn(10));
    expect((await paused(hoursOn(34))).USD).toBe(false);
    expect((await paused(hoursOn(34, 1))).USD).toBe(true);
    const outlier = [
      reference('dolarApi', 11_500_000n, 'EUR/BOB'),
      reference('criptoYa', 11_500_000n, 'EUR/BOB'),
      reference('binanceP2p', 50_000_000n, 'EUR/BOB'),
    ];
    await collect(hoursOn(30), outlier);
    expect((await paused(hoursOn(34, 1))).USD).toBe(true);
  });

  test('in euros resume with dollar figures once there is an ECB fixing, or with a separate rate', async () => {
    await set('USD', start);
    // Derived, and as old as the dollar's.
    expect(await paused(hoursOn(25))).toEqual({ USD: true, EUR: true });
    await collect(hoursOn(20), [reference('dolarApi', 11_500_000n)]);
    expect(await paused(hoursOn(25))).toEqual({ USD: false, EUR: true });
    await collect(hoursOn(21), [reference('ecb', 1_150_000n, 'EUR/USD')]);
    expect(await paused(hoursOn(25))).toEqual({ USD: false, EUR: false });
    expect((await currentRate(database.fork(), 'EUR', moment(hoursOn(25))))?.marketUpdatedAt).toEqual(hoursOn(20));
    await set('EUR', hoursOn(50));
    expect(await paused(hoursOn(51))).toEqual({ USD: true, EUR: false });
  });
});

describe('the record of pauses', () => {
  test('has each pause once, from its start, however many jobs run concurrently, and notifies every admin once', async () => {
    await set('USD', start);
    await set('EUR', hoursOn(20));
    await watch(hoursOn(24));
    expect(await pauses()).toEqual([]);
    await database.fork().nativeDelete(OutboxRow, {});
    await Promise.all(Array.from({ length: 5 }, () => watch(hoursOn(25))));
    await watch(hoursOn(26));
    expect(await pauses()).toMatchObject([{ currency: 'USD', pausedAt: hoursOn(24), resumedAt: null }]);
    const written = await mails('rates_paused');
    expect(written.map(({ userId }) => userId).sort()).toEqual([...adminIds].sort());
    expect(written[0]?.data).toEqual({ currency: 'USD', lastUpdatedAt: start.toISOString() });
    // This one push notifies open browsers.
    expect(await database.fork().count(OutboxRow, { name: 'rate-changed' })).toBe(1);
  });

  test.each([
    ['a source gives a figure', () => collect(hoursOn(30), [reference('dolarApi', 11_500_000n)])],
    ['an admin sets a rate', () => set('USD', hoursOn(30))],
  ])('closes a pause when %s, and opens another one later', async (_what, update) => {
    await set('USD', start);
    await set('EUR', hoursOn(40));
    await watch(hoursOn(25));
    await database.fork().nativeDelete(OutboxRow, {});
    await update();
    // The update adds the job and notifies every browser itself.
    expect(await database.fork().count(OutboxRow, { name: 'watch-rates' })).toBe(1);
    expect(await database.fork().count(OutboxRow, { name: 'rate-changed' })).toBe(1);
    await Promise.all([watch(hoursOn(30)), watch(hoursOn(30)), watch(hoursOn(30))]);
    expect(await pauses()).toMatchObject([{ resumedAt: hoursOn(30) }]);
    expect(await mails('rates_resumed')).toHaveLength(adminIds.length);
    await watch(hoursOn(55));
    expect(await pauses()).toMatchObject([{ resumedAt: hoursOn(30) }, { pausedAt: hoursOn(54), resumedAt: null }]);
    expect(await mails('rates_paused')).toHaveLength(2 * adminIds.length);
  });

  test('opens no pause during a run, unless the run lost its worker', async () => {
    await set('USD', start);
    await set('EUR', hoursOn(24));
    await database.transaction((em) => openRateRun(em, { trigger: 'scheduled', everyMs: 2 * hourMs, at: hoursOn(25) }));
    await watch(hoursOn(25));
    expect(await pauses()).toEqual([]);
    await watch(hoursOn(25, 16 * 60_000));
    expect(await pauses()).toHaveLength(1);
  });

  test('is empty while there are no rates', async () => {
    await watch(start);
    expect(await pauses()).toEqual([]);
  });
});
