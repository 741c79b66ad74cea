import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RateSource, SourceFailure } from '#core/rates/sources';
import { hourMs } from '#core/time/time';
import { Database } from '#platform/database/database';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { openDatabase } from '../database.ts';
import { finishRateRun, openRateRun } from './rate-runs.ts';
import { readSourceHealth } from './source-health.ts';

let testDatabase: TestDatabase;
let database: Database;

// Runs are never deleted, so each test has its own database.
beforeEach(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.url, { poolMax: 2 });
});
afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

const now = new Date('2026-11-21T18:00:00Z');
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * hourMs);
const open: SourceFailure = { code: 'circuit_open' };
const moved: SourceFailure = { code: 'changed_shape', field: 'quotes.0.rate' };

/** A run that ended some hours ago, with the result of each source; a number is the duration of a success in ms. */
async function run(endedHoursAgo: number, attempts: Partial<Record<RateSource, number | SourceFailure>>) {
  const at = hoursAgo(endedHoursAgo);
  const { runId } = await database.transaction((em) =>
    openRateRun(em, { trigger: 'scheduled', everyMs: 7_200_000, at }),
  );
  const results = Object.entries(attempts).map(([source, attempt]) => ({
    source: source as RateSource,
    observations: typeof attempt === 'number' ? 2 : 0,
    failure: typeof attempt === 'number' ? null : attempt,
    tookMs: typeof attempt === 'number' ? attempt : attempt.code === 'circuit_open' ? 0 : 90,
  }));
  await database.transaction((em) => finishRateRun(em, runId, { collected: [], results, at }));
}

const health = async () => {
  const { sources, lastRunAt } = await readSourceHealth(database.fork(), now);
  return { of: new Map(sources.map((source) => [source.source, source])), lastRunAt };
};

test('the health of sources lists every source, even before the first call', async () => {
  const { of, lastRunAt } = await health();
  expect(lastRunAt).toBeNull();
  expect(of.size).toBe(11);
  expect(of.get('bcb')).toEqual({
    source: 'bcb',
    status: 'never_asked',
    lastSuccessAt: null,
    lastAskedAt: null,
    latencyMs: null,
    attempts: 0,
    failures: 0,
    lastFailure: null,
  });
});

test('the health of a source counts attempts and failures of the week, and its last attempt decides the status', async () => {
  await run(7 * 24 + 1, { ria: { code: 'timeout' }, wiseComparison: 5 });
  await run(6, { ria: 120, dolarApi: 40 });
  await run(4, { ria: moved, dolarApi: { code: 'bad_status', status: 502 } });
  await run(2, { ria: moved, dolarApi: 55 });
  const { of, lastRunAt } = await health();
  expect(lastRunAt).toEqual(hoursAgo(2));
  expect(of.get('ria')).toMatchObject({
    status: 'failing',
    lastSuccessAt: hoursAgo(6),
    lastAskedAt: hoursAgo(2),
    latencyMs: 90,
    attempts: 3,
    failures: 2,
    lastFailure: moved,
  });
  expect(of.get('dolarApi')).toMatchObject({
    status: 'working',
    latencyMs: 55,
    attempts: 3,
    failures: 1,
    lastFailure: null,
  });
  // Its only attempt was more than a week ago.
  expect(of.get('wiseComparison')).toMatchObject({ status: 'never_asked', attempts: 0 });
});

test('a source whose circuit is open keeps the failure that opened it, and a skipped run is no attempt', async () => {
  await run(8, { moneyGram: { code: 'forbidden' }, remitly: open, ria: open });
  await run(6, { moneyGram: open, remitly: open, ria: 70 });
  const { of } = await health();
  expect(of.get('moneyGram')).toMatchObject({
    status: 'circuit_open',
    lastAskedAt: hoursAgo(8),
    latencyMs: 90,
    attempts: 1,
    failures: 1,
    lastFailure: { code: 'forbidden' },
  });
  expect(of.get('remitly')).toMatchObject({
    status: 'circuit_open',
    lastAskedAt: null,
    latencyMs: null,
    attempts: 0,
    lastFailure: { code: 'circuit_open' },
  });
  expect(of.get('ria')).toMatchObject({ status: 'working', attempts: 1, failures: 0 });
});

test('an abandoned run does not affect the health of sources', async () => {
  await database.transaction((em) => openRateRun(em, { trigger: 'scheduled', everyMs: 7_200_000, at: hoursAgo(3) }));
  await run(1, { ecb: 30 });
  const { of, lastRunAt } = await health();
  expect(lastRunAt).toEqual(hoursAgo(1));
  expect([...of.values()].filter(({ attempts }) => attempts > 0).map(({ source }) => source)).toEqual(['ecb']);
});
