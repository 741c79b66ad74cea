import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseRate, type Rate } from '#core/rates/rate';
import type { Competitor, RateSource } from '#core/rates/sources';
import { Database } from '#platform/database/database';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { createTestUser } from '../../testing/accounts.ts';
import { openDatabase } from '../database.ts';
import { importDollarHistory } from '../rate-observations/dollar-history.ts';
import { RateObservation } from '../rate-observations/observation.entity.ts';
import { RateRun } from '../rate-observations/rate-run.entity.ts';
import { type RatePoint, rateSeries, showsDollarHistory } from './rate-series.repository.ts';
import { setRate } from './set-rate.ts';

let testDatabase: TestDatabase;
let database: Database;
let adminId: string;
let runId: string;

// Neither rates nor observations can be deleted, so each test has its own database.
beforeEach(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.url, { poolMax: 4 });
  adminId = (await createTestUser(database, { role: 'admin' })).id;
  runId = randomUUID();
  await database.transaction(async (em) => {
    const times = { startedAt: now, finishedAt: now, outcome: 'collected' as const, missedWindows: null };
    em.persist(em.create(RateRun, { id: runId, trigger: 'scheduled', amountMinor: null, results: [], ...times }));
  });
});
afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

/** Noon of the 21st in La Paz. */
const now = new Date('2026-11-21T16:00:00Z');
const rate = (text: string) => parseRate(text) as Rate;
const set = (currency: 'USD' | 'EUR', text: string, at: string) =>
  database.transaction((em) => setRate(em, { currency, rate: rate(text), setById: adminId, at: new Date(at) }));

interface Figure {
  source: RateSource;
  pair: RateObservation['pair'];
  at: string;
  rate: string;
  competitor?: Competitor;
  outlier?: boolean;
}
const observe = (...figures: Figure[]) =>
  database.transaction(async (em) => {
    for (const { source, pair, at, rate: text, competitor = null, outlier = false } of figures) {
      const figure = { runId, source, pair, rate: rate(text), competitor, outlier, rawHash: 'hash' };
      const price = competitor ? { amountMinor: 10_000n, feeMinor: 100n } : { amountMinor: null, feeMinor: null };
      const kind = competitor ? ('price' as const) : ('reference' as const);
      em.persist(em.create(RateObservation, { ...figure, ...price, kind, observedAt: new Date(at) }));
    }
  });
const series = async (currency: 'USD' | 'EUR') => {
  const points = await rateSeries(database.fork(), { currency, days: 30, now });
  expect(points).toHaveLength(30);
  return points;
};
/** The points of these days of November. */
const on = (points: readonly RatePoint[], ...days: string[]) =>
  days.map((day) => points.find(({ date }) => date === `2026-11-${day}`));
const empty = { ours: null, reference: null, competitors: {} };

test('the rate series has a point for every day of La Paz up to today, even without data', async () => {
  const points = await series('USD');
  expect(points[0]).toEqual({ date: '2026-10-23', ...empty });
  expect(points[29]).toEqual({ date: '2026-11-21', ...empty });
  expect(new Set(points.map(({ date }) => date)).size).toBe(30);
});

test('our rate in the series is the one in force at the end of the day in La Paz, until it changes', async () => {
  await set('USD', '11.00', '2025-01-01T12:00:00Z');
  await set('USD', '11.20', '2026-11-18T12:00:00Z');
  await set('USD', '11.30', '2026-11-19T03:59:59.999Z');
  await set('USD', '11.40', '2026-11-19T04:00:00Z');
  await set('USD', '11.50', '2026-11-21T15:00:00Z');
  const points = await series('USD');
  expect(points[0]?.ours).toBe(rate('11.00'));
  expect(on(points, '17', '18', '19', '20', '21').map((point) => point?.ours)).toEqual(
    ['11.00', '11.30', '11.40', '11.40', '11.50'].map(rate),
  );
});

test('a euro in the series follows the dollar through the last ECB fixing until it has a separate rate', async () => {
  await set('USD', '11.00', '2026-11-10T12:00:00Z');
  await observe(
    { source: 'ecb', pair: 'EUR/USD', at: '2026-11-17T12:00:00Z', rate: '1.10' },
    { source: 'ecb', pair: 'EUR/USD', at: '2026-11-18T03:59:00Z', rate: '1.20' },
    { source: 'ecb', pair: 'EUR/USD', at: '2026-11-19T12:00:00Z', rate: '9.00', outlier: true },
  );
  await set('USD', '12.00', '2026-11-19T12:00:00Z');
  await set('EUR', '14.50', '2026-11-20T12:00:00Z');
  const points = await series('EUR');
  expect(on(points, '16', '17', '18', '19', '20', '21').map((point) => point?.ours)).toEqual([
    null,
    ...['13.20', '13.20', '14.40', '14.50', '14.50'].map(rate),
  ]);
});

test('the reference in the series gives every source one vote a day and leaves outliers out', async () => {
  const pair = 'USD/BOB' as const;
  await observe(
    // Several figures of one source are one vote: medians 12, 10 and 11.
    ...['12.00', '12.00', '12.10'].map((text) => {
      return { source: 'binanceP2p' as const, pair, at: '2026-11-20T12:00:00Z', rate: text };
    }),
    { source: 'dolarApi', pair, at: '2026-11-20T13:00:00Z', rate: '10.00' },
    { source: 'criptoYa', pair, at: '2026-11-20T14:00:00Z', rate: '11.00' },
    { source: 'bcb', pair, at: '2026-11-20T14:00:00Z', rate: '99.00', outlier: true },
    // The last millisecond of the 20th and the first of the 21st.
    { source: 'criptoYa', pair, at: '2026-11-21T03:59:59.999Z', rate: '11.20' },
    { source: 'criptoYa', pair, at: '2026-11-21T04:00:00Z', rate: '11.60' },
    { source: 'ecb', pair: 'EUR/USD', at: '2026-11-20T12:00:00Z', rate: '1.20' },
    { source: 'dolarApi', pair: 'EUR/BOB', at: '2026-11-21T12:00:00Z', rate: '13.00' },
  );
  const points = await series('USD');
  expect(on(points, '19', '20', '21').map((point) => point?.reference)).toEqual([null, rate('11.00'), rate('11.60')]);
  // The euro: through the dollar on the 20th, with a direct source on the 21st.
  expect(on(await series('EUR'), '19', '20', '21').map((point) => point?.reference)).toEqual([
    null,
    rate('13.20'),
    rate('13.00'),
  ]);
});

test("a competitor's own site takes precedence over a comparison in the series, and a day without prices stays empty", async () => {
  const pair = 'USD/BOB' as const;
  const [monday, tuesday] = ['2026-11-16T12:00:00Z', '2026-11-17T12:00:00Z'];
  await observe(
    { source: 'wiseComparison', competitor: 'ria', pair, at: monday, rate: '10.00' },
    { source: 'ria', competitor: 'ria', pair, at: monday, rate: '11.00' },
    { source: 'ria', competitor: 'ria', pair, at: monday, rate: '11.20' },
    { source: 'ria', competitor: 'ria', pair, at: monday, rate: '11.10' },
    { source: 'wiseComparison', competitor: 'wise', pair, at: monday, rate: '10.90' },
    { source: 'wiseComparison', competitor: 'ria', pair, at: tuesday, rate: '10.50' },
    { source: 'ria', competitor: 'ria', pair, at: tuesday, rate: '19.00', outlier: true },
    { source: 'ria', competitor: 'ria', pair: 'EUR/BOB', at: tuesday, rate: '12.50' },
  );
  expect(on(await series('USD'), '16', '17', '18')).toEqual([
    { ...empty, date: '2026-11-16', competitors: { ria: rate('11.10'), wise: rate('10.90') } },
    { ...empty, date: '2026-11-17', competitors: { ria: rate('10.50') } },
    { ...empty, date: '2026-11-18' },
  ]);
  expect(on(await series('EUR'), '17')).toEqual([
    { ...empty, date: '2026-11-17', competitors: { ria: rate('12.50') } },
  ]);
});

test('the history’s collectors are credited only where a series shows it', async () => {
  const year = () => rateSeries(database.fork(), { currency: 'USD', days: 365, now });
  await observe({ source: 'binanceP2p', pair: 'USD/BOB', at: '2026-08-20T16:00:00Z', rate: '11.00' });
  expect(await showsDollarHistory(database.fork(), await year())).toBe(false);
  await database.transaction((em) => importDollarHistory(em, now));
  const points = await year();
  expect(points.find(({ date }) => date === '2026-08-22')?.reference).toBe(rate('11.50'));
  expect(await showsDollarHistory(database.fork(), points)).toBe(true);
  expect(await showsDollarHistory(database.fork(), await series('USD'))).toBe(false);
});
