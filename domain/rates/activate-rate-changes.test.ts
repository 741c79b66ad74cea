import { afterEach, beforeEach, expect, test } from 'vitest';
import { confirmationMs } from '#core/rates/guard-rails';
import type { Rate } from '#core/rates/rate';
import { hourMs } from '#core/time/time';
import { Database } from '#platform/database/database';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { createTestUser } from '../../testing/accounts.ts';
import { observeMarket, testEveryMs } from '../../testing/market.ts';
import { testMoment } from '../../testing/transfers.ts';
import { openDatabase } from '../database.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { activateRateChange, sweepRateChanges } from './activate-rate-changes.ts';
import { RateChange, RateEntry } from './rate.entity.ts';
import { proposeRateChange } from './rate-changes.ts';
import { setRate } from './set-rate.ts';

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
  await observeMarket(database, { rate: 12_000_000n, at: testMoment });
});
afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

/** The part of a job's context that rate changes need. */
const context = (): JobContext => {
  const needed: Partial<JobContext> = {
    database,
    ratesEveryMs: testEveryMs,
    rateMaxStepBasisPoints: 300n,
    now: () => now,
  };
  return needed as JobContext;
};
const activate = (id: bigint) => activateRateChange(context(), String(id));
const sweep = () => sweepRateChanges(context());
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
  await activate(change.id);
  expect(await stateOf(change)).toBe('scheduled');
  now = later(hourMs);
  await Promise.all([activate(change.id), sweep()]);
  await activate(change.id);
  expect(await stateOf(change)).toBe('activated');
  expect(await database.fork().count(RateEntry, { changeId: change.id })).toBe(1);
  await activate(999n);
});

test('the sweep activates a rate change whose job was lost', async () => {
  const change = await propose(11_600_000n, later(hourMs));
  now = later(2 * hourMs);
  await sweep();
  expect(await stateOf(change)).toBe('activated');
});

test('the sweep expires rate changes that were not confirmed within a day', async () => {
  const change = await propose(12_500_000n, null);
  now = later(confirmationMs - 1);
  await sweep();
  expect(await stateOf(change)).toBe('awaiting_confirmation');
  now = later(confirmationMs);
  await sweep();
  expect(await stateOf(change)).toBe('expired');
});
