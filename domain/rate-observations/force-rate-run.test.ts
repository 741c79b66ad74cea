import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '#platform/database/database';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { openDatabase } from '../database.ts';
import { forceRateRun } from './force-rate-run.ts';
import { RateRun } from './rate-run.entity.ts';
import { finishRateRun, openRateRun } from './rate-runs.ts';

let testDatabase: TestDatabase;
let database: Database;
beforeEach(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.url, { poolMax: 4 });
});
afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

const everyMs = 7_200_000;
const force = (waitMs: number) => forceRateRun(database, { amountMinor: 10_000n, everyMs, waitMs });
const results = [{ source: 'ecb' as const, observations: 1, failure: null, tookMs: 5 }];

/** Waits for the open run of a kind and closes it as its worker would. */
async function collect(trigger: 'scheduled' | 'forced'): Promise<void> {
  const open = () => database.fork().findOne(RateRun, { trigger, finishedAt: null });
  await expect.poll(open, { message: `an open ${trigger} run` }).not.toBeNull();
  const run = await open();
  await database.transaction((em) => finishRateRun(em, run?.id as string, { collected: [], results, at: new Date() }));
}

test('a forced rate run gives the results by source once its worker has them', async () => {
  const [given] = await Promise.all([force(10_000), collect('forced')]);
  expect(given).toEqual(results);
});

test('a forced rate run waits for a running scheduled one and then calls the sources itself', async () => {
  await database.transaction((em) => openRateRun(em, { trigger: 'scheduled', everyMs, at: new Date() }));
  const given = force(10_000);
  await collect('scheduled');
  await collect('forced');
  expect(await given).toEqual(results);
  const runs = await database.fork().find(RateRun, {}, { orderBy: { startedAt: 'asc' } });
  expect(runs.map(({ trigger, outcome }) => [trigger, outcome])).toEqual([
    ['scheduled', 'collected'],
    ['forced', 'collected'],
  ]);
});

test('a forced rate run that takes too long continues in the background', async () => {
  expect(await force(20)).toBeNull();
  expect(await database.fork().count(RateRun, { trigger: 'forced', finishedAt: null })).toBe(1);
});
