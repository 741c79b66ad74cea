import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Rate } from '#core/rates/rate';
import type { Observation, ReferenceSource } from '#core/rates/sources';
import { dayMs } from '#core/time/time';
import { Database } from '#platform/database/database';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { openDatabase } from '../database.ts';
import { referenceRates } from './market-references.ts';
import { BankRate, RateObservation } from './observation.entity.ts';
import { knownPrices } from './observation.repository.ts';
import { RateRun } from './rate-run.entity.ts';
import { finishRateRun, openDueRateRun, openRateRun } from './rate-runs.ts';

let testDatabase: TestDatabase;
let database: Database;

// Observations cannot be deleted, so each test has its own database.
beforeEach(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.url, { poolMax: 4 });
});
afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

const everyMs = 7_200_000;
const start = new Date('2026-11-21T10:00:00Z');
const after = (ms: number) => new Date(start.getTime() + ms);
const open = (at = start) => database.transaction((em) => openRateRun(em, { trigger: 'scheduled', everyMs, at }));
const reference = (source: ReferenceSource, rate: bigint, pair: 'USD/BOB' | 'EUR/USD' = 'USD/BOB'): Observation => ({
  kind: 'reference',
  source,
  pair,
  rate: rate as Rate,
});
const price = (rate: bigint): Observation => ({
  kind: 'price',
  source: 'ria',
  competitor: 'ria',
  currency: 'USD',
  amountMinor: 10_000n,
  rate: rate as Rate,
  feeMinor: 150n,
});
const finish = (runId: string, observations: Observation[], at = start) =>
  database.transaction((em) =>
    finishRateRun(em, runId, {
      collected: observations.map((observation) => ({ observation, rawHash: 'hash', observedAt: at })),
      results: [],
      at,
    }),
  );

test('concurrent requests open one rate run with one job', async () => {
  const runs = await Promise.all([open(), open(), open(), open()]);
  expect(new Set(runs.map(({ runId }) => runId)).size).toBe(1);
  expect(runs.filter(({ opened }) => opened)).toHaveLength(1);
  expect(await database.fork().find(OutboxRow, { name: 'collect-rates' })).toHaveLength(1);
});

test('missed rate runs are not repeated, and a run whose worker crashed is abandoned', async () => {
  const tick = (at: Date) => database.transaction((em) => openDueRateRun(em, { quietMs: everyMs / 2, everyMs, at }));
  const count = () => database.fork().count(RateRun);
  await tick(start);
  await tick(after(1));
  expect(await count()).toBe(1);
  const [run] = await database.fork().find(RateRun, {});
  await finish(run?.id as string, []);
  await tick(after(everyMs / 2 - 1));
  expect(await count()).toBe(1);
  await tick(after(everyMs));
  await tick(after(2 * everyMs));
  const runs = await database.fork().find(RateRun, {}, { orderBy: { startedAt: 'asc' } });
  expect(runs.map(({ finishedAt }) => finishedAt)).toEqual([start, after(2 * everyMs), null]);
  expect(runs[1]?.results ?? null).toBeNull();
});

test('a rate run is finished once, with outliers marked, and notifies every browser', async () => {
  const { runId } = await open();
  const observations = [
    reference('dolarApi', 11_500_000n),
    reference('criptoYa', 11_640_000n),
    reference('binanceP2p', 34_500_000n),
    price(11_400_000n),
  ];
  await finish(runId, observations);
  await finish(runId, observations);
  const em = database.fork();
  const stored = await em.find(RateObservation, {}, { orderBy: { id: 'asc' } });
  expect(stored.map(({ source, outlier }) => [source, outlier])).toEqual(
    expect.arrayContaining([
      ['dolarApi', false],
      ['criptoYa', false],
      ['binanceP2p', true],
      ['ria', false],
    ]),
  );
  expect(stored).toHaveLength(4);
  expect(await em.count(OutboxRow, { name: 'rates-collected' })).toBe(1);
  expect((await referenceRates(em, start, everyMs)).USD).toBe(11_500_000n);
});

test('the newest price of a source counts, an old reference does not, and the euro follows the ECB', async () => {
  await finish((await open()).runId, [price(11_000_000n), reference('dolarApi', 11_500_000n)]);
  const later = after(everyMs);
  await finish((await open(later)).runId, [price(11_100_000n), reference('ecb', 1_200_000n, 'EUR/USD')], later);
  const em = database.fork();
  expect(await knownPrices(em, 'USD', later)).toMatchObject([{ rate: 11_100_000n, observedAt: later }]);
  expect(await knownPrices(em, 'EUR', later)).toEqual([]);
  expect(await referenceRates(em, later, everyMs)).toEqual({ USD: 11_500_000n, EUR: 13_800_000n });
  expect(await referenceRates(em, after(1.5 * everyMs), everyMs)).toEqual({ USD: null, EUR: null });
  expect(await knownPrices(em, 'USD', after(9 * dayMs))).toEqual([]);
});

test('rates of single banks are stored once, separately from observations, and are no reference', async () => {
  const { runId } = await open();
  const bank = {
    kind: 'bank',
    source: 'bcb',
    day: '2026-11-20',
    bank: 'BANCO BISA',
    rate: 34_500_000n as Rate,
  } as const;
  await finish(runId, [bank, reference('bcb', 11_500_000n)]);
  await finish(runId, [bank]);
  const em = database.fork();
  expect(await em.find(BankRate, {})).toMatchObject([
    { runId, day: '2026-11-20', bank: 'BANCO BISA', rate: 34_500_000n, rawHash: 'hash', observedAt: start },
  ]);
  expect(await em.count(RateObservation, {})).toBe(1);
  expect((await referenceRates(em, start, everyMs)).USD).toBe(11_500_000n);
});

test('rates of single banks are not stored when the total of their table is an outlier', async () => {
  const { runId } = await open();
  await finish(runId, [
    { kind: 'bank', source: 'bcb', day: '2026-11-20', bank: 'BANCO BISA', rate: 15_000_000n as Rate },
    reference('bcb', 15_000_000n),
    reference('dolarApi', 11_500_000n),
    reference('criptoYa', 11_600_000n),
  ]);
  const em = database.fork();
  expect(await em.count(BankRate, {})).toBe(0);
  expect(await em.find(RateObservation, { source: 'bcb' })).toMatchObject([{ outlier: true }]);
});

test('observations cannot be changed, deleted or truncated', async () => {
  await finish((await open()).runId, [price(11_000_000n)]);
  for (const sql of [
    'update rate_observation set rate = 1',
    'delete from rate_observation',
    'truncate rate_observation',
  ])
    await expect(testDatabase.asOwner(sql)).rejects.toThrow('rate_observation is append-only');
});
