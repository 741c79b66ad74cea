import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Rate } from '#core/rates/rate';
import { dayMs } from '#core/time/time';
import { Database } from '#platform/database/database';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { createTestUser } from '../../testing/accounts.ts';
import { openDatabase } from '../database.ts';
import { Email } from '../emails/email.entity.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { finishRateRun, openRateRun } from '../rate-observations/rate-runs.ts';
import { RateAlert } from './rate.entity.ts';
import { fireReachedAlerts } from './rate-alerts.ts';
import { setRate } from './set-rate.ts';

let testDatabase: TestDatabase;
let database: Database;
let adminId: string;
let senderId: string;
let now: Date;

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.url, { poolMax: 8 });
  adminId = (await createTestUser(database, { role: 'admin' })).id;
  senderId = (await createTestUser(database)).id;
  now = new Date('2026-11-21T10:00:00Z');
});
afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

const fire = () =>
  fireReachedAlerts({ database, now: () => now, pauseAfterMs: dayMs } as Pick<
    JobContext,
    'database' | 'now' | 'pauseAfterMs'
  > as JobContext);
const set = (currency: 'USD' | 'EUR', rate: bigint) =>
  database.transaction((em) => setRate(em, { currency, rate: rate as Rate, setById: adminId, at: now }));
async function wait(currency: 'USD' | 'EUR', ...rates: bigint[]): Promise<string[]> {
  const alerts = rates.map((rate) => ({
    id: randomUUID(),
    userId: senderId,
    currency,
    rate: rate as Rate,
    createdAt: now,
    firedAt: null,
    firedRate: null,
  }));
  await database.transaction(async (em) => {
    for (const alert of alerts) em.persist(em.create(RateAlert, alert));
  });
  return alerts.map(({ id }) => id);
}
const fired = async () =>
  (await database.fork().find(RateAlert, { firedAt: { $ne: null } }, { orderBy: { rate: 'asc' } })).map(
    ({ rate, firedRate, firedAt }) => ({ rate, firedRate, firedAt }),
  );
const pushed = () => database.fork().count(OutboxRow, { name: 'rate-alert-fired' });

test('reached alerts fire once, with an e-mail and a push', async () => {
  await set('USD', 11_500_000n);
  await set('EUR', 13_000_000n);
  await wait('EUR', 13_190_000n, 13_200_000n, 13_210_000n);
  await wait('USD', 13_000_000n);
  await fire();
  expect(await fired()).toEqual([]);
  await set('EUR', 13_200_000n);
  await Promise.all([fire(), fire(), fire()]);
  await fire();
  expect(await fired()).toEqual([
    { rate: 13_190_000n, firedRate: 13_200_000n, firedAt: now },
    { rate: 13_200_000n, firedRate: 13_200_000n, firedAt: now },
  ]);
  expect(await pushed()).toBe(2);
  const mails = await database.fork().find(Email, { kind: 'rate_alert' });
  expect(mails.map(({ data }) => data).sort((one, other) => (String(one.rate) < String(other.rate) ? -1 : 1))).toEqual([
    { currency: 'EUR', rate: '13.19', firedRate: '13.20' },
    { currency: 'EUR', rate: '13.20', firedRate: '13.20' },
  ]);
  for (const { userId } of mails) expect(userId).toBe(senderId);
});

test('alerts fire in several batches when there are many', async () => {
  await set('USD', 11_500_000n);
  await wait('USD', ...Array.from({ length: 451 }, (_, index) => 11_000_000n + BigInt(index)));
  await Promise.all([fire(), fire()]);
  await fire();
  expect(await fired()).toHaveLength(451);
  expect(await pushed()).toBe(451);
  expect(await database.fork().count(Email)).toBe(451);
});

test('alerts of a euro that follows the dollar fire when an ECB fixing moves it', async () => {
  await set('USD', 11_500_000n);
  await wait('EUR', 13_000_000n);
  await fire();
  expect(await fired()).toEqual([]);
  const { runId } = await database.transaction((em) =>
    openRateRun(em, { trigger: 'scheduled', everyMs: 7_200_000, at: now }),
  );
  await database.fork().nativeDelete(OutboxRow, {});
  const ecb = { kind: 'reference', source: 'ecb', pair: 'EUR/USD', rate: 1_150_000n as Rate } as const;
  await database.transaction((em) =>
    finishRateRun(em, runId, {
      collected: [{ observation: ecb, rawHash: 'hash', observedAt: now }],
      results: [],
      at: now,
    }),
  );
  expect(await database.fork().count(OutboxRow, { name: 'fire-rate-alerts' })).toBe(1);
  await fire();
  expect(await fired()).toEqual([{ rate: 13_000_000n, firedRate: 13_225_000n, firedAt: now }]);
});

test('alerts do not fire while payments at the rate are paused', async () => {
  await set('USD', 11_500_000n);
  await wait('USD', 11_500_000n);
  now = new Date(now.getTime() + dayMs + 1);
  await fire();
  expect(await fired()).toEqual([]);
});

test('an alert deleted while it fires either fires or is deleted, without a deadlock', async () => {
  await set('USD', 11_500_000n);
  const ids = await wait('USD', ...Array.from({ length: 40 }, () => 11_500_000n));
  const [, ...deleted] = await Promise.all([
    fire(),
    ...ids.map((id) => database.fork().nativeDelete(RateAlert, { id, firedAt: null })),
  ]);
  await fire();
  const gone = deleted.reduce((sum, count) => sum + count, 0);
  expect((await fired()).length + gone).toBe(40);
  expect(await database.fork().count(Email)).toBe(40 - gone);
});
