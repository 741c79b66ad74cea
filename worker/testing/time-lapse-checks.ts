import { expect, onTestFinished } from 'vitest';
import { choosePrices } from '#core/comparison/comparison';
import type { Rate } from '#core/rates/rate';
import { referenceRates } from '#domain/rate-observations/market-references';
import { RateObservation } from '#domain/rate-observations/observation.entity';
import { knownPrices } from '#domain/rate-observations/observation.repository';
import { RateRun } from '#domain/rate-observations/rate-run.entity';
import { sources } from '#domain/rate-sources/sources/index';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { marketAt } from '../../sandbox/prices/market.ts';
import { openDatabase } from '../../testing/database.ts';
import type { RatesFixture } from './rates-fixture.ts';
import { everyMs, type TimeLapseOptions, timeLapse } from './time-lapse.ts';

/**
 * Collects rates through a time lapse on a new database and asserts that every window and every source of it is accounted for,
 * and that nothing wrong is ever shown as a live price.
 */
export async function expectTimeLapse(options: Pick<TimeLapseOptions, 'windows' | 'seed' | 'density'>): Promise<void> {
  const { windows } = options;
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const { outages, beginning } = await timeLapse({ ...options, databaseUrl: url, onCollected: expectTruth });
  const database = await openDatabase(url, { poolMax: 2 });
  onTestFinished(() => database.close());
  const em = database.fork();
  const runs = await em.find(RateRun, {}, { orderBy: { startedAt: 'asc', finishedAt: 'desc' } });
  const windowOf = (at: Date) => Math.round((at.getTime() - beginning.getTime()) / everyMs);

  // Every window has one run or says why it has none.
  const accounted = new Map<number, string[]>();
  for (const { startedAt, outcome, missedWindows } of runs) {
    for (let more = 0; more < (missedWindows ?? 1); more += 1) {
      const window = windowOf(startedAt) + more;
      accounted.set(window, [...(accounted.get(window) ?? []), String(outcome)]);
    }
  }
  const all = Array.from({ length: windows }, (_, window) => window);
  expect([...accounted.keys()].sort((one, other) => one - other)).toEqual(all);
  for (const window of all) expect(accounted.get(window)).toHaveLength(1);
  const windowsWith = (outcome: string) => all.filter((window) => accounted.get(window)?.[0] === outcome);
  const away = all.filter((window) => outages.away.some(({ from, lasts }) => window >= from && window < from + lasts));
  expect(windowsWith('missed')).toEqual(away);
  // The next worker starts two hours later: too late to take the run over.
  expect(windowsWith('abandoned')).toEqual(
    all.filter((window) => outages.deaths.includes(window) && !away.includes(window)),
  );

  // Every source of every run gave figures or says why it did not.
  const collected = runs.filter(({ outcome }) => outcome === 'collected');
  for (const { results } of collected) {
    expect(results?.map(({ source }) => source)).toEqual(sources.map(({ name }) => name));
    for (const { observations, failure } of results ?? []) expect(observations > 0 || failure !== null).toBe(true);
  }
  const codes = new Set(collected.flatMap(({ results }) => results?.map(({ failure }) => failure?.code) ?? []));
  for (const code of [
    'forbidden',
    'too_many_requests',
    'timeout',
    'unreachable',
    'changed_shape',
    'absurd_value',
    'circuit_open',
  ] as const)
    expect(codes).toContain(code);

  // Nothing is written twice, nothing is missing, and nothing belongs to a run that was not collected.
  const twice = await em.execute(
    `select run_id from rate_observation group by run_id, source, competitor, pair, amount_minor having count(*) > 1`,
  );
  expect(twice).toEqual([]);
  const [counts] = await em.execute(
    `select (select count(*) from rate_observation)::int kept, (select count(*) from bank_rate)::int banks,
       (select sum((result ->> 'observations')::int) from rate_run, jsonb_array_elements(results) result)::int given`,
  );
  const doubted = await em.count(RateObservation, { source: 'bcb', outlier: true });
  expect(counts?.kept + counts?.banks + doubted * 5).toBe(counts?.given);
  const strays = await em.execute(
    `select 1 from rate_observation join rate_run on rate_run.id = run_id where outcome <> 'collected'`,
  );
  expect(strays).toEqual([]);
  expect(await em.count(RateObservation, { outlier: true })).toBeGreaterThan(10);
}

/** Whatever the sources answered, a price that is shown as live is near the market. */
async function expectTruth({ context }: RatesFixture, now: Date): Promise<void> {
  const em = context.database.fork();
  const market = marketAt(now.getTime());
  const reference = await referenceRates(em, now, everyMs);
  for (const currency of ['USD', 'EUR'] as const) {
    const truth = Number(currency === 'USD' ? market.usdBob : market.eurBob);
    const near = (rate: Rate) => Math.abs(Number(rate) / truth - 1);
    const seen = reference[currency];
    if (seen !== null) expect(near(seen)).toBeLessThan(0.04);
    const question = { amountMinor: 10_000n, currency, now, everyMs };
    const shown = choosePrices(await knownPrices(em, currency, now), question);
    for (const { rate } of shown.filter(({ freshness }) => freshness === 'live')) expect(near(rate)).toBeLessThan(0.06);
  }
}
