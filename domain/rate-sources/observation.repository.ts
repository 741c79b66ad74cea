import { randomUUID } from 'node:crypto';
import type { KnownPrice } from '#core/comparison/comparison';
import { freshnessAt } from '#core/comparison/comparison';
import type { SendCurrency } from '#core/money/money';
import { findOutliers, median } from '#core/rates/outliers';
import { chain, type Rate } from '#core/rates/rate';
import type {
  BankObservation,
  Observation,
  PriceObservation,
  PriceSource,
  RateSource,
  ReferenceObservation,
} from '#core/rates/sources';
import { dayMs, minuteMs } from '#core/time/time';
import type { EntityManager } from '#platform/database/database';
import { addJob, addPush } from '#platform/outbox/outbox';
import { BankRate, RateObservation, RateRun, type SourceResult } from './rate-run.entity.ts';

/** Older prices say nothing any more: a competitor is then shown with its reference value. */
const keepMs = 7 * dayMs;

/** A run that is open for longer lost its worker. */
const abandonedMs = 15 * minuteMs;

/** An observation with the hash of the answer it was read from. */
export interface Collected<Of extends Observation = Observation> {
  readonly observation: Of;
  readonly rawHash: string;
  readonly observedAt: Date;
}

/**
 * Opens a run and asks for its job, in the transaction of `em`. While another one is open that one is returned instead:
 * sources are never asked twice at a time. Windows of `everyMs` that went by without a run are written down with it.
 */
export async function openRateRun(
  em: EntityManager,
  input: { trigger: 'scheduled' | 'forced'; amountMinor?: bigint; everyMs: number; at: Date },
): Promise<{ runId: string; opened: boolean }> {
  const { trigger, amountMinor = null, at } = input;
  // One that began in the future did so by a clock that was wrong; it must not hold up the others until then.
  const [tooOld, tooNew] = [new Date(at.getTime() - abandonedMs), new Date(at.getTime() + abandonedMs)];
  await em.nativeUpdate(
    RateRun,
    { finishedAt: null, $or: [{ startedAt: { $lt: tooOld } }, { startedAt: { $gt: tooNew } }] },
    { finishedAt: at, outcome: 'abandoned' },
  );
  const runId = randomUUID();
  const inserted = await em.execute(
    `insert into rate_run (id, trigger, amount_minor, started_at) values (?, ?, ?, ?) on conflict do nothing returning id`,
    [runId, trigger, amountMinor === null ? null : String(amountMinor), at],
  );
  if (inserted.length === 0) {
    const open = await em.findOne(RateRun, { finishedAt: null });
    // It ended between the two statements.
    return open ? { runId: open.id, opened: false } : openRateRun(em, input);
  }
  await recordMissedWindows(em, runId, input);
  addJob(em, 'collect-rates', { runId });
  await em.flush();
  return { runId, opened: true };
}

/** Whether sources are being asked at the moment. */
export async function rateRunUnderWay(em: EntityManager, now: Date): Promise<boolean> {
  return (await em.count(RateRun, { finishedAt: null, startedAt: { $gt: new Date(now.getTime() - abandonedMs) } })) > 0;
}

/** Up to one and a half intervals after the last run nothing is missing: ticks come late. */
async function recordMissedWindows(
  em: EntityManager,
  runId: string,
  run: { everyMs: number; at: Date },
): Promise<void> {
  const { everyMs, at } = run;
  const before = { id: { $ne: runId }, startedAt: { $lte: at } };
  const last = await em.findOne(RateRun, before, { orderBy: { startedAt: 'desc' } });
  const quietMs = last ? at.getTime() - last.startedAt.getTime() : 0;
  if (!last || quietMs <= 1.5 * everyMs) return;
  const missed = em.create(RateRun, {
    id: randomUUID(),
    trigger: 'scheduled',
    startedAt: new Date(last.startedAt.getTime() + everyMs),
    finishedAt: at,
    outcome: 'missed',
    missedWindows: Math.round(quietMs / everyMs) - 1,
  });
  em.persist(missed);
}

/**
 * Opens a scheduled run unless one was collected, or is under way, within `quietMs`. Missed ones are not made up for. Ticks at
 * the same instant wait for each other, so that all but the first see its run.
 */
export async function openDueRateRun(
  em: EntityManager,
  input: { quietMs: number; everyMs: number; at: Date },
): Promise<void> {
  const { quietMs, everyMs, at } = input;
  await em.execute(`select pg_advisory_xact_lock(hashtext('rate_run'))`);
  // Both ways: clocks of two workers differ, but one that was days ahead and put right must not end the collecting.
  const around = { $gt: new Date(at.getTime() - quietMs), $lt: new Date(at.getTime() + quietMs) };
  const recent = await em.count(RateRun, { startedAt: around, outcome: 'collected' });
  if (recent === 0) await openRateRun(em, { trigger: 'scheduled', everyMs, at });
}

/** Writes down what a run collected, marks outliers, and tells every browser. Does nothing when the run is already over. */
export async function finishRateRun(
  em: EntityManager,
  runId: string,
  outcome: { collected: readonly Collected[]; results: readonly SourceResult[]; at: Date },
): Promise<void> {
  const { collected, results, at } = outcome;
  const won = await em.nativeUpdate(
    RateRun,
    { id: runId, finishedAt: null },
    { finishedAt: at, results, outcome: 'collected' },
  );
  if (won === 0) return;
  const comparable = collected.filter(isComparable);
  const outliers = findOutliers(comparable.map(({ observation }) => observation));
  writeObservations(em, runId, comparable, outliers);
  // What the banks paid stands on one page with their total: where that is no use, they are not either.
  const doubted = comparable.some(({ observation }, index) => observation.source === 'bcb' && outliers[index]);
  if (!doubted) writeBankRates(em, runId, collected.filter(isOfBank));
  addPush(em, 'rates-collected', { runId });
  // A euro that follows the dollar has moved with the ECB's rate, and payments that paused may go on.
  addPush(em, 'rate-changed', {});
  addJob(em, 'fire-rate-alerts', {});
  addJob(em, 'watch-rates', {});
  await em.flush();
}

function isOfBank(one: Collected): one is Collected<BankObservation> {
  return one.observation.kind === 'bank';
}

function isComparable(one: Collected): one is Collected<PriceObservation | ReferenceObservation> {
  return !isOfBank(one);
}

function writeBankRates(em: EntityManager, runId: string, collected: readonly Collected<BankObservation>[]): void {
  for (const { observation, rawHash, observedAt } of collected) {
    const { day, bank, rate } = observation;
    em.persist(em.create(BankRate, { runId, day, bank, rate, rawHash, observedAt }));
  }
}

function writeObservations(
  em: EntityManager,
  runId: string,
  collected: readonly Collected<PriceObservation | ReferenceObservation>[],
  outliers: readonly boolean[],
): void {
  collected.forEach(({ observation, rawHash, observedAt }, index) => {
    const isPrice = observation.kind === 'price';
    em.persist(
      em.create(RateObservation, {
        runId,
        source: observation.source,
        kind: observation.kind,
        competitor: isPrice ? observation.competitor : null,
        pair: isPrice ? `${observation.currency}/BOB` : observation.pair,
        amountMinor: isPrice ? observation.amountMinor : null,
        rate: observation.rate,
        feeMinor: isPrice ? observation.feeMinor : null,
        rawHash,
        outlier: outliers[index] ?? false,
        observedAt,
      }),
    );
  });
}

/** The newest usable price of every source, competitor and amount, at most a week old. */
export async function knownPrices(em: EntityManager, currency: SendCurrency, now: Date): Promise<KnownPrice[]> {
  const newest = await newestOf(em, 'price', `${currency}/BOB`, new Date(now.getTime() - keepMs));
  return newest.flatMap(({ source, competitor, amountMinor, feeMinor, rate, observedAt }) =>
    competitor == null || amountMinor == null || feeMinor == null
      ? []
      : [{ source: source as PriceSource, competitor, amountMinor, feeMinor, rate, observedAt }],
  );
}

/** What the market pays for a unit: the median of fresh reference sources, or null when none is fresh. */
export type ReferenceRates = Readonly<Record<SendCurrency, Rate | null>>;

/** A reference rate and the fresh figures it is the median of. */
export interface MarketReference {
  readonly rate: Rate;
  readonly figures: readonly { readonly source: RateSource; readonly rate: Rate; readonly observedAt: Date }[];
}

/** Market rates to hold ours against. `everyMs`: how often sources are asked, in ms. */
export async function referenceRates(em: EntityManager, now: Date, everyMs: number): Promise<ReferenceRates> {
  const { USD, EUR } = await marketReferences(em, now, everyMs);
  return { USD: USD?.rate ?? null, EUR: EUR?.rate ?? null };
}

/** Market rates with their sources. A euro without sources of its own follows the dollar through the ECB's rate. */
export async function marketReferences(
  em: EntityManager,
  now: Date,
  everyMs: number,
): Promise<Readonly<Record<SendCurrency, MarketReference | null>>> {
  const since = new Date(now.getTime() - 2 * everyMs);
  const of = async (pair: 'USD/BOB' | 'EUR/BOB') => {
    const newest = await newestOf(em, 'reference', pair, since);
    const fresh = newest.filter(({ observedAt }) => freshnessAt(observedAt, now, everyMs) === 'live');
    const rate = median(fresh.map((figure) => figure.rate));
    return rate === null ? null : { rate, figures: fresh };
  };
  const usd = await of('USD/BOB');
  const eur = await of('EUR/BOB');
  const eurUsd = await newestEurUsd(em);
  return { USD: usd, EUR: eur ?? (usd && eurUsd ? inEuros(usd, eurUsd) : null) };
}

function inEuros({ rate, figures }: MarketReference, eurUsd: Rate): MarketReference {
  return {
    rate: chain(eurUsd, rate),
    figures: figures.map((figure) => ({ ...figure, rate: chain(eurUsd, figure.rate) })),
  };
}

/** Dollars per euro as the ECB last said, or null when it never did. */
export async function newestEurUsd(em: EntityManager): Promise<Rate | null> {
  const found = await em.findOne(
    RateObservation,
    { kind: 'reference', pair: 'EUR/USD', source: 'ecb', outlier: false },
    { orderBy: { observedAt: 'desc', id: 'desc' } },
  );
  return found?.rate ?? null;
}

/**
 * When the market last said anything usable about a currency, or null. The dollar's news is the euro's too once there is an
 * ECB rate to carry it over.
 */
export async function marketSeen(em: EntityManager, currency: SendCurrency): Promise<Date | null> {
  const pairs: RateObservation['pair'][] = [`${currency}/BOB`];
  if (currency === 'EUR' && (await newestEurUsd(em)) !== null) pairs.push('USD/BOB');
  const found = await em.findOne(
    RateObservation,
    { kind: 'reference', pair: { $in: pairs }, outlier: false },
    { orderBy: { observedAt: 'desc', id: 'desc' } },
  );
  return found?.observedAt ?? null;
}

async function newestOf(
  em: EntityManager,
  kind: RateObservation['kind'],
  pair: RateObservation['pair'],
  since: Date,
): Promise<RateObservation[]> {
  const rows: { id: string }[] = await em.execute(
    `select distinct on (source, competitor, amount_minor) id from rate_observation
      where kind = ? and pair = ? and observed_at >= ? and not outlier
      order by source, competitor, amount_minor, observed_at desc, id desc`,
    [kind, pair, since],
  );
  return em.find(RateObservation, { id: { $in: rows.map(({ id }) => BigInt(id)) } });
}
