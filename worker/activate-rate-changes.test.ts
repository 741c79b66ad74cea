import { afterEach, beforeEach, expect, test } from 'vitest';
import { confirmationMs } from '#core/rates/guard-rails';
import type { Rate } from '#core/rates/rate';
import { hourMs } from '#core/time/time';
import { openDatabase } from '#domain/database';
import type { JobContext } from '#domain/job-context';
import { RateChange, RateEntry } from '#domain/rates/rate.entity';
import { proposeRateChange } from '#domain/rates/rate-changes';
import { setRate } from '#domain/rates/set-rate';
import { createTestUser } from '#domain/testing/accounts';
import { seeMarket, testEveryMs } from '#domain/testing/market';
import { testMoment } from '#domain/testing/transfers';
import { Database } from '#platform/database/database';
import { createTestDatabase, type TestDatabase } from '../infra/testing/database.ts';
import { runJob } from './handlers.ts';

let testDatabase: TestDatabase;
let database: Database;
let adminId: string;
let now: Date;

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.url, { poolMax: 4 });
  adminId = (await createTestUser(database, { role: 'admin' })).id;
  now = testMoment;
  await database.transaction((em) =>
    setRate(em, { currency: 'USD', rate: 11_500_000n as Rate, setById: adminId, at: testMoment }),
  );
  await seeMarket(database, { rate: 12_000_000n, at: testMoment });
});
afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

/** Changes of rates need no more of the context than this. */
const run = (name: string, data: object = {}) => {
  const context: Partial<JobContext> = {
    database,
    ratesEveryMs: testEveryMs,
    rateMaxStepBasisPoints: 300n,
    now: () => now,
  };
  return runJob(context as JobContext, { name, data, attemptsMade: 0 });
};
const later = (ms: number) => new Date(testMoment.getTime() + ms);
const propose = (rate: bigint, activateAt: Date | null) =>
  database.transaction((em) =>
    proposeRateChange(
      em,
      { everyMs: testEveryMs, maxStepBasisPoints: 300n },
      {
        currency: 'USD',
        rate: rate as Rate,
        reason: 'Feriado',
        activateAt,
        proposedById: adminId,
        at: testMoment,
      },
    ),
  );
const stateOf = async ({ id }: RateChange) => (await database.fork().findOneOrFail(RateChange, { id })).state;

test('the job of a scheduled rate change waits for its time and may run any number of times', async () => {
  const change = await propose(11_600_000n, later(hourMs));
  const data = { changeId: String(change.id) };
  await run('activate-rate-change', data);
  expect(await stateOf(change)).toBe('scheduled');
  now = later(hourMs);
  await Promise.all([run('activate-rate-change', data), run('sweep-rate-changes')]);
  await run('activate-rate-change', data);
  expect(await stateOf(change)).toBe('activated');
  expect(await database.fork().count(RateEntry, { changeId: change.id })).toBe(1);
  await run('activate-rate-change', { changeId: '999' });
});

test('the sweep activates a rate change whose job was lost', async () => {
  const change = await propose(11_600_000n, later(hourMs));
  now = later(2 * hourMs);
  await run('sweep-rate-changes');
  expect(await stateOf(change)).toBe('activated');
});

test('the sweep expires rate changes that were not confirmed within a day', async () => {
  const change = await propose(12_500_000n, null);
  now = later(confirmationMs - 1);
  await run('sweep-rate-changes');
  expect(await stateOf(change)).toBe('awaiting_confirmation');
  now = later(confirmationMs);
  await run('sweep-rate-changes');
  expect(await stateOf(change)).toBe('expired');
});
