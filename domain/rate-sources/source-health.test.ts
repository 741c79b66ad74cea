import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RateSource, SourceFailure } from '#core/rates/sources';
import { hourMs } from '#core/time/time';
import { Database } from '#platform/database/database';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { openDatabase } from '../database.ts';
import { finishRateRun, openRateRun } from './observation.repository.ts';
import { sourceHealth } from './source-health.ts';

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
const resting: SourceFailure = { code: 'circuit_open' };
const moved: SourceFailure = { code: 'changed_shape', field: 'quotes.0.rate' };

/** A run that ended some hours ago, with what became of each source; a number is how many ms a success took. */
async function run(endedHoursAgo: number, turns: Partial<Record<RateSource, number | SourceFailure>>) {
  const at = hoursAgo(endedHoursAgo);
  const { runId } = await database.transaction((em) =>
    openRateRun(em, { trigger: 'scheduled', everyMs: 7_200_000, at }),
  );
  const results = Object.entries(turns).map(([source, turn]) => ({
    source: source as RateSource,
    observations: typeof turn === 'number' ? 2 : 0,
    failure: typeof turn === 'number' ? null : turn,
    tookMs: typeof turn === 'number' ? turn : turn.code === 'circuit_open' ? 0 : 90,
  }));
  await database.transaction((em) => finishRateRun(em, runId, { collected: [], results, at }));
}

const health = async () => {
  const { sources, lastRunAt } = await sourceHealth(database.fork(), now);
  return { of: new Map(sources.map((source) => [source.source, source])), lastRunAt };
};

test('every source is listed though none was ever asked', async () => {
  const { of, lastRunAt } = await health();
  expect(lastRunAt).toBeNull();
  expect(of.size).toBe(11);
  expect(of.get('bcb')).toEqual({
    source: 'bcb',
    name: 'Banco Central de Bolivia',
    status: 'never_asked',
    lastSuccessAt: null,
    lastAskedAt: null,
    latencyMs: null,
    turns: 0,
    failures: 0,
    lastFailure: null,
  });
});

test('turns and failures of the week are counted, and the last turn says how it is', async () => {
  await run(7 * 24 + 1, { ria: { code: 'timeout' }, wiseComparison: 5 });
  await run(6, { ria: 120, dolarApi: 40 });
  await run(4, { ria: moved, dolarApi: { code: 'bad_status', status: 502 } });
  await run(2, { ria: moved, dolarApi: 55 });
  const { of, lastRunAt } = await health();
  expect(lastRunAt).toBe(hoursAgo(2).toISOString());
  expect(of.get('ria')).toMatchObject({
    status: 'failing',
    lastSuccessAt: hoursAgo(6).toISOString(),
    lastAskedAt: hoursAgo(2).toISOString(),
    latencyMs: 90,
    turns: 3,
    failures: 2,
    lastFailure: { code: 'changed_shape', sentence: 'Cambió su formato: falta el campo quotes.0.rate o es otro' },
  });
  expect(of.get('dolarApi')).toMatchObject({
    status: 'working',
    latencyMs: 55,
    turns: 3,
    failures: 1,
    lastFailure: null,
  });
  // Its only turn was more than a week ago.
  expect(of.get('wiseComparison')).toMatchObject({ status: 'never_asked', turns: 0 });
});

test('a source left alone rests: its pauses are no turns, and the failure that led there stays', async () => {
  await run(8, { moneyGram: { code: 'forbidden' }, remitly: resting, ria: resting });
  await run(6, { moneyGram: resting, remitly: resting, ria: 70 });
  const { of } = await health();
  expect(of.get('moneyGram')).toMatchObject({
    status: 'resting',
    lastAskedAt: hoursAgo(8).toISOString(),
    latencyMs: 90,
    turns: 1,
    failures: 1,
    lastFailure: { code: 'forbidden', sentence: 'Rechaza la consulta' },
  });
  expect(of.get('remitly')).toMatchObject({
    status: 'resting',
    lastAskedAt: null,
    latencyMs: null,
    turns: 0,
    lastFailure: { code: 'circuit_open', sentence: 'En pausa tras varios fallos' },
  });
  expect(of.get('ria')).toMatchObject({ status: 'working', turns: 1, failures: 0 });
});

test('a run that was abandoned says nothing of any source', async () => {
  await database.transaction((em) => openRateRun(em, { trigger: 'scheduled', everyMs: 7_200_000, at: hoursAgo(3) }));
  await run(1, { ecb: 30 });
  const { of, lastRunAt } = await health();
  expect(lastRunAt).toBe(hoursAgo(1).toISOString());
  expect([...of.values()].filter(({ turns }) => turns > 0).map(({ source }) => source)).toEqual(['ecb']);
});
