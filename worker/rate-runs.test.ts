import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { choosePrices, compare } from '#core/comparison/comparison';
import { defaultFeeSchedule } from '#core/money/fee';
import { chain, type Rate } from '#core/rates/rate';
import type { RateSource } from '#core/rates/sources';
import { hourMs } from '#core/time/time';
import { openDatabase } from '#domain/database';
import { referenceRates } from '#domain/rate-observations/market-references';
import { RateObservation } from '#domain/rate-observations/observation.entity';
import { knownPrices } from '#domain/rate-observations/observation.repository';
import { RateRun } from '#domain/rate-observations/rate-run.entity';
import { openRateRun } from '#domain/rate-observations/rate-runs';
import { Database } from '#platform/database/database';
import { createTestDatabase, type TestDatabase } from '../infra/testing/database.ts';
import { marketAt } from '../sandbox/prices/market.ts';
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts';
import { controlSandbox } from '../sandbox/testing/control-client.ts';
import { RatesFixture } from './testing/rates-fixture.ts';
import { WorkerLifecycle } from './worker.module.ts';

const everyMs = 2 * hourMs;
const beginning = new Date('2026-11-20T14:00:00Z');

let sandbox: Sandbox;
let control: ReturnType<typeof controlSandbox>;
let testDatabase: TestDatabase;
let database: Database;
let now: Date;
beforeAll(async () => {
  sandbox = await startSandbox({ beginAt: beginning });
  control = controlSandbox(sandbox.url);
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.url, { poolMax: 2 });
  now = beginning;
  await control.clearFaults();
});
afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

const openIdle = (timeoutMs = 5_000) =>
  RatesFixture.open({ databaseUrl: testDatabase.url, sourcesUrl: `${sandbox.url}/prices`, now: () => now, timeoutMs });

async function openFixture(timeoutMs?: number): Promise<RatesFixture> {
  const opened = await openIdle(timeoutMs);
  await opened.takeJobs();
  return opened;
}

async function fixture(open = openFixture): Promise<RatesFixture> {
  const opened = await open();
  onTestFinished(() => opened.close());
  return opened;
}

/** Ticks the schedule after `hours`, and returns the failure of a source in that run. */
async function collectAfter(hours: number, rates: RatesFixture, source: RateSource) {
  now = new Date(now.getTime() + hours * hourMs);
  await rates.tick();
  await rates.settled();
  const run = await newestRun();
  expect(run.startedAt).toEqual(now);
  return run.results?.find((result) => result.source === source)?.failure?.code ?? null;
}

const newestRun = () =>
  database.fork().findOneOrFail(RateRun, { startedAt: { $lte: now } }, { orderBy: { startedAt: 'desc' } });
const runs = () => database.fork().find(RateRun, {}, { orderBy: { startedAt: 'asc' } });

test('a source that failed in three runs is skipped for six hours, tried once and skipped again, also after a restart', async () => {
  const first = await openFixture();
  await control.fault({ kind: 'error', status: 500, path: '^/prices/ecb/', times: 4 });
  for (const _ of [1, 2, 3]) expect(await collectAfter(2, first, 'ecb')).toBe('bad_status');
  expect(await collectAfter(2, first, 'ecb')).toBe('circuit_open');
  await first.close();
  const second = await fixture();
  expect(await collectAfter(2, second, 'ecb')).toBe('circuit_open');
  expect(await collectAfter(2, second, 'ecb')).toBe('bad_status');
  expect(await collectAfter(2, second, 'ecb')).toBe('circuit_open');
  expect(await collectAfter(4, second, 'ecb')).toBeNull();
  expect(await collectAfter(2, second, 'ecb')).toBeNull();
});

test('a forced run asks a source whose circuit is open, and its answer closes the circuit', async () => {
  const rates = await fixture();
  await control.fault({ kind: 'error', status: 403, path: '^/prices/ecb/', times: 4 });
  for (const _ of [1, 2, 3]) expect(await collectAfter(2, rates, 'ecb')).toBe('forbidden');
  const force = async (hours: number) => {
    now = new Date(now.getTime() + hours * hourMs);
    await rates.context.database.transaction((em) => openRateRun(em, { trigger: 'forced', everyMs, at: now }));
    await rates.settled();
    return (await newestRun()).results?.find(({ source }) => source === 'ecb')?.failure?.code ?? null;
  };
  expect(await force(0.1)).toBe('forbidden');
  expect(await collectAfter(2, rates, 'ecb')).toBe('circuit_open');
  expect(await force(0.1)).toBeNull();
  expect(await collectAfter(2, rates, 'ecb')).toBeNull();
});

test('a burst of schedule ticks opens one rate run', async () => {
  const rates = await fixture(openIdle);
  await rates.begin(5);
  await rates.settled();
  await rates.tick(5);
  expect(await runs()).toMatchObject([{ outcome: 'collected', trigger: 'scheduled' }]);
});

test('a rate run whose worker crashed is finished once by the next worker', async () => {
  const first = await openFixture(60_000);
  await control.fault({ kind: 'timeout', path: '^/prices/ecb/', times: 1 });
  await first.tick();
  await expect.poll(() => control.faults(), { message: 'the source has been called' }).toEqual([]);
  await first.die();
  // The queue gives the job to another worker when its lock has expired.
  await testDatabase.asOwner("update bullmq.job set locked_until_ms = 0 where state = 'active'");
  const second = await fixture();
  await second.settled();
  const [run, ...more] = await runs();
  expect(more).toEqual([]);
  expect(run).toMatchObject({ outcome: 'collected' });
  expect(run?.results?.every(({ failure }) => failure === null)).toBe(true);
  const twice = await database
    .fork()
    .execute('select 1 from rate_observation group by source, competitor, pair, amount_minor having count(*) > 1');
  expect(twice).toEqual([]);
});

test('a rate run whose worker crashed hours ago is abandoned by the next worker, which asks the sources for a new run', async () => {
  const first = await openFixture(60_000);
  await control.fault({ kind: 'timeout', path: '^/prices/ecb/', times: 1 });
  await first.tick();
  await expect.poll(() => control.faults(), { message: 'the source has been called' }).toEqual([]);
  await first.die();
  await testDatabase.asOwner("update bullmq.job set locked_until_ms = 0 where state = 'active'");
  now = new Date(now.getTime() + everyMs);
  await control.fault({ kind: 'error', status: 500, path: '^/prices/ecb/', times: 2 });
  const second = await fixture(openIdle);
  await second.begin(1);
  await second.settled();
  expect((await runs()).map(({ outcome }) => outcome)).toEqual(['abandoned', 'collected']);
  expect(await control.faults()).toMatchObject([{ times: 1 }]);
});

test('a worker opens its first rate run before it takes jobs', async () => {
  const { context } = await fixture(openIdle);
  const openRuns: (RateRun | null)[] = [];
  const processor = {
    start: async () => void openRuns.push(await database.fork().findOne(RateRun, { finishedAt: null })),
  };
  const other = { start: async () => {} };
  const parts = [context, [processor], other, other, []] as unknown as ConstructorParameters<typeof WorkerLifecycle>;
  await new WorkerLifecycle(...parts).onApplicationBootstrap();
  expect(openRuns).toMatchObject([{ trigger: 'scheduled', startedAt: now }]);
});

test('a plausible but wrong price is stored as an outlier and used for nothing', async () => {
  const rates = await fixture();
  for (const site of ['ria', 'criptoYa']) {
    await control.priceMode(site, 'wrong_value');
    onTestFinished(() => control.priceMode(site, 'normal'));
  }
  expect(await collectAfter(0, rates, 'ria')).toBeNull();
  const em = database.fork();
  const outliers = await em.find(RateObservation, { outlier: true });
  expect(new Set(outliers.map(({ source }) => source))).toEqual(new Set(['ria', 'criptoYa']));
  expect(outliers).toHaveLength(5);

  const market = marketAt(beginning.getTime());
  const reference = await referenceRates(em, now, everyMs);
  expect(Math.abs(Number(reference.USD) / Number(market.usdBob) - 1)).toBeLessThan(0.03);
  const theirs = choosePrices(await knownPrices(em, 'USD', now), {
    amountMinor: 10_000n,
    currency: 'USD',
    now,
    everyMs,
  });
  // Wise's comparison knows Ria's price too.
  expect(theirs.find(({ competitor }) => competitor === 'ria')).toMatchObject({
    source: 'wiseComparison',
    freshness: 'live',
  });
  for (const { rate } of theirs) expect(rate < market.usdBob).toBe(true);
  const ours = { rate: chain(market.usdBob as Rate, 1_100_000n as Rate), fee: defaultFeeSchedule, since: now };
  expect(compare({ totalMinor: 10_000n, ours, theirs }).claimPercent).not.toBeNull();
});
