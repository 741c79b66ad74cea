import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hourMs } from '#core/time/time';
import { Database } from '#platform/database/database';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { openDatabase } from '../database.ts';
import { RateRun } from './rate-run.entity.ts';
import { finishRateRun, openDueRateRun, openRateRun } from './rate-runs.ts';

let testDatabase: TestDatabase;
let database: Database;

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.url, { poolMax: 8 });
});
afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

const everyMs = 7_200_000;
const start = new Date('2026-11-21T10:00:00Z');
const hours = (count: number) => new Date(start.getTime() + count * hourMs);
const tick = (at: Date) => database.transaction((em) => openDueRateRun(em, { quietMs: everyMs / 2, everyMs, at }));
const force = (at: Date) => database.transaction((em) => openRateRun(em, { trigger: 'forced', everyMs, at }));
const runs = () => database.fork().find(RateRun, {}, { orderBy: { startedAt: 'asc' } });
const outcomes = async () =>
  (await runs()).map(({ outcome, missedWindows }) => [outcome ?? null, missedWindows ?? null]);

/** Ends the open run as its worker would. */
async function collect(at: Date): Promise<void> {
  const open = await database.fork().findOneOrFail(RateRun, { finishedAt: null });
  await database.transaction((em) => finishRateRun(em, open.id, { collected: [], results: [], at }));
}

test('a burst of schedule ticks opens one rate run, even if it ends before the last of them', async () => {
  await Promise.all(Array.from({ length: 8 }, () => tick(start)));
  await collect(start);
  await Promise.all(Array.from({ length: 8 }, () => tick(hours(0.1))));
  expect(await outcomes()).toEqual([['collected', null]]);
  expect(await database.fork().count(OutboxRow, { name: 'collect-rates' })).toBe(1);
});

test('no missed windows are recorded for the first rate run, nor for one late by half an interval', async () => {
  await tick(start);
  await collect(start);
  await tick(hours(3));
  expect(await outcomes()).toEqual([
    ['collected', null],
    [null, null],
  ]);
});

test.each([
  [3.01, 1],
  [4.9, 1],
  [5.1, 2],
  [24, 11],
])('after %f hours without a worker %i missed windows are recorded', async (gap, windows) => {
  await tick(start);
  await collect(start);
  await tick(hours(gap));
  const [, missed, open] = await runs();
  expect(missed).toMatchObject({
    outcome: 'missed',
    missedWindows: windows,
    startedAt: hours(2),
    finishedAt: hours(gap),
  });
  expect(missed?.results ?? null).toBeNull();
  expect(open).toMatchObject({ trigger: 'scheduled', startedAt: hours(gap) });
});

test('a forced rate run records missed windows too, and the next tick does not repeat them', async () => {
  await tick(start);
  await collect(start);
  await force(hours(6));
  await collect(hours(6));
  await tick(hours(8));
  expect(await outcomes()).toEqual([
    ['collected', null],
    ['missed', 2],
    ['collected', null],
    [null, null],
  ]);
});

test('a rate run that lost its worker covers its window, and the windows after it are missed', async () => {
  await tick(start);
  await tick(hours(8));
  expect(await outcomes()).toEqual([
    ['abandoned', null],
    ['missed', 3],
    [null, null],
  ]);
});

test('a clock that was ahead and was corrected does not stop the rate runs', async () => {
  await tick(hours(240));
  await tick(start);
  await collect(start);
  await tick(hours(2));
  await collect(hours(2));
  expect(await outcomes()).toEqual([
    ['collected', null],
    ['collected', null],
    ['abandoned', null],
  ]);
});

test('a worker with a slightly late clock opens no second rate run', async () => {
  await tick(hours(0.01));
  await collect(hours(0.01));
  await tick(start);
  expect(await outcomes()).toEqual([['collected', null]]);
});

test('every gap between rate runs longer than one and a half intervals is recorded, whatever the ticks', async () => {
  const steps = fc.array(fc.record({ quarters: fc.integer({ min: 4, max: 40 }), dies: fc.boolean() }), {
    maxLength: 6,
  });
  let at = start;
  await fc.assert(
    fc.asyncProperty(steps, async (ticks) => {
      for (const { quarters, dies } of ticks) {
        await tick(at);
        if (!dies) await collect(at);
        at = new Date(at.getTime() + (quarters * everyMs) / 4);
      }
      const rows = await runs();
      for (const [index, { outcome, startedAt, finishedAt }] of rows.entries()) {
        const next = rows[index + 1]?.startedAt.getTime() ?? 0;
        // The missed range ends with the run that found it.
        if (outcome === 'missed') expect(finishedAt?.getTime()).toBe(next);
        else expect(next - startedAt.getTime()).toBeLessThanOrEqual(1.5 * everyMs);
      }
    }),
    // Reports a counterexample before the test times out, however long shrinking takes.
    { numRuns: 12, plugins: [fc.interruptAfterTimeLimit(15_000, { failOnInterrupt: true })] },
  );
});
