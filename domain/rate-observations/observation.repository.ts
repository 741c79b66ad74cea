import type { KnownPrice } from '#core/comparison/comparison';
import type { SendCurrency } from '#core/money/money';
import { type CrossRate, crossRateEnd } from '#core/rates/cross-rate';
import type { Rate } from '#core/rates/rate';
import type {
  BankObservation,
  PriceObservation,
  PriceSource,
  RateSource,
  ReferenceObservation,
} from '#core/rates/sources';
import { dayMs } from '#core/time/time';
import { type EntityManager, runSql } from '#platform/database/database';
import type { Collected } from '../rate-sources/source.ts';
import { BankRate, RateObservation } from './observation.entity.ts';

/** Stores a run's prices and references, marked as outlier or not. */
export function addObservations(
  em: EntityManager,
  runId: string,
  collected: readonly Collected<PriceObservation | ReferenceObservation>[],
  outliers: readonly boolean[],
): void {
  collected.forEach(({ observation, rawHash, observedAt }, index) => {
    const { kind, source, rate } = observation;
    const figures =
      kind === 'price'
        ? {
            competitor: observation.competitor,
            pair: `${observation.currency}/BOB` as const,
            amountMinor: observation.amountMinor,
            feeMinor: observation.feeMinor,
          }
        : { pair: observation.pair, asOf: observation.asOf ?? null };
    const outlier = outliers[index] ?? false;
    em.persist(em.create(RateObservation, { runId, source, kind, rate, rawHash, outlier, observedAt, ...figures }));
  });
}

/** Stores a run's reading of the central bank's table. */
export function addBankRates(em: EntityManager, runId: string, collected: readonly Collected<BankObservation>[]): void {
  for (const { observation, rawHash, observedAt } of collected) {
    const { day, bank, rate } = observation;
    em.persist(em.create(BankRate, { runId, day, bank, rate, rawHash, observedAt }));
  }
}

/** Older prices are not used: the competitor is then shown with its reference value. */
const pricesKeptMs = 7 * dayMs;

/** SQL: usable prices of a pair. */
const pricesOfPair = `from rate_observation where kind = 'price' and not outlier and pair = ?`;

/**
 * The newest usable price of every source, competitor and amount, at most a week old. Uses one index lookup per
 * combination, because a week has thousands of prices.
 */
export async function knownPrices(em: EntityManager, currency: SendCurrency, now: Date): Promise<KnownPrice[]> {
  const pair = `${currency}/BOB`;
  const rows: { id: string }[] = await em.execute(
    `with recursive offer as (
       (select source, competitor, amount_minor ${pricesOfPair} order by source, competitor, amount_minor limit 1)
       union all
       select next.* from offer cross join lateral (
         select source, competitor, amount_minor ${pricesOfPair}
           and (source, competitor, amount_minor) > (offer.source, offer.competitor, offer.amount_minor)
         order by source, competitor, amount_minor limit 1) as next)
     select newest.id from offer cross join lateral (
       select id ${pricesOfPair} and observed_at >= ?
         and (source, competitor, amount_minor) = (offer.source, offer.competitor, offer.amount_minor)
       order by observed_at desc, id desc limit 1) as newest`,
    [pair, pair, pair, new Date(now.getTime() - pricesKeptMs)],
  );
  const newest = await em.find(RateObservation, { id: { $in: rows.map(({ id }) => BigInt(id)) } });
  return newest.flatMap(({ source, competitor, amountMinor, feeMinor, rate, observedAt }) =>
    competitor == null || amountMinor == null || feeMinor == null
      ? []
      : [{ source: source as PriceSource, competitor, amountMinor, feeMinor, rate, observedAt }],
  );
}

/** A source's figure of a pair, and when it was read. */
export interface ReferenceFigure {
  readonly source: RateSource;
  readonly rate: Rate;
  readonly observedAt: Date;
}

/** SQL: the newest usable figure of every reference source of a pair after a moment, as JSON. */
const referencesSql = (pair: MarketPair, since: string) => `(
  select jsonb_agg(jsonb_build_object('source', source, 'rate', rate::text, 'observedAt', observed_at)) from (
    select distinct on (source) source, rate, observed_at from rate_observation
    where kind = 'reference' and pair = '${pair}' and observed_at >= ${since} and not outlier
    order by source, observed_at desc, id desc
  ) as figure)`;

/** SQL: when any source last gave a usable reference of a pair, or null when none ever did. */
const lastReferenceSql = (pair: MarketPair) => `(
  select observed_at from rate_observation where kind = 'reference' and pair = '${pair}' and not outlier
  order by observed_at desc, id desc limit 1)`;

/** SQL: the last ECB fixing, as JSON; null if it was never read. */
const crossRateSql = `(
  select jsonb_build_object('rate', rate::text, 'asOf', as_of, 'observedAt', observed_at) from rate_observation
  where kind = 'reference' and pair = 'EUR/USD' and source = 'ecb' and not outlier order by observed_at desc, id desc limit 1)`;

/** The sources' market figures, as JSON has them. */
export interface MarketRow {
  readonly crossRate: { readonly rate: string; readonly asOf: string | null; readonly observedAt: string } | null;
  readonly references: Readonly<Record<MarketPair, readonly FigureRow[] | null>>;
  readonly lastReferenceAt: Readonly<Record<MarketPair, string | null>>;
}
type FigureRow = Readonly<Record<keyof ReferenceFigure, string>>;
/** Pairs for buying bolivianos. */
export type MarketPair = 'USD/BOB' | 'EUR/BOB';

const ofPairs = (sql: (pair: MarketPair) => string) =>
  `jsonb_build_object('USD/BOB', ${sql('USD/BOB')}, 'EUR/BOB', ${sql('EUR/BOB')})`;

/** SQL: a `MarketRow` as JSON, with the figures after a moment. */
export const marketSql = (since: string): string => `jsonb_build_object(
  'crossRate', ${crossRateSql}, 'references', ${ofPairs((pair) => referencesSql(pair, since))},
  'lastReferenceAt', ${ofPairs(lastReferenceSql)})`;

/** A source's figures of a `MarketRow`. */
export function toFigures(rows: readonly FigureRow[] | null): ReferenceFigure[] {
  return (rows ?? []).map(({ source, rate, observedAt }) => ({
    ...{ source: source as RateSource, rate: BigInt(rate) as Rate, observedAt: new Date(observedAt) },
  }));
}

/** Dollars per euro of a `MarketRow`, regardless of age. */
export function toCrossRate(row: MarketRow['crossRate']): CrossRate | null {
  if (!row) return null;
  const { rate, asOf, observedAt } = row;
  const observedOn = new Date(observedAt).toISOString().slice(0, 10);
  // A date in the future would extend the figure's validity.
  return { rate: BigInt(rate) as Rate, validUntil: crossRateEnd(asOf && asOf < observedOn ? asOf : observedOn) };
}

const readCrossRate = `select ${crossRateSql} as found`;

/** The last ECB fixing in dollars per euro, regardless of age; null if it was never read. */
export async function newestCrossRate(em: EntityManager): Promise<CrossRate | null> {
  const [row] = await runSql<{ found: MarketRow['crossRate'] }>(em, readCrossRate, []);
  return toCrossRate(row?.found ?? null);
}

/** A bank's buying rate for the dollar and its rank: 1 is the best, equal rates share a rank. */
export interface RankedBank {
  readonly bank: string;
  readonly rate: Rate;
  readonly rank: number;
}

/** The central bank's table as last read, best first. */
export interface BankBoard {
  /** The day of the table, "YYYY-MM-DD". */
  readonly day: string;
  readonly collectedAt: Date;
  readonly banks: readonly RankedBank[];
}

/** The table of the newest day, or null if it was never read. The last of several readings of that day counts. */
export async function newestBankBoard(em: EntityManager): Promise<BankBoard | null> {
  const rows: { day: string; bank: string; rate: string; rank: string; observed_at: Date }[] = await em.execute(
    `with newest as (select day, run_id from bank_rate order by day desc, observed_at desc, id desc limit 1)
     select day::text, bank, rate, rank() over (order by rate desc) as rank, observed_at
       from bank_rate join newest using (day, run_id) order by rate desc, bank`,
  );
  const [best] = rows;
  if (!best) return null;
  const banks = rows.map(({ bank, rate, rank }) => ({ bank, rate: BigInt(rate) as Rate, rank: Number(rank) }));
  return { day: best.day, collectedAt: new Date(best.observed_at), banks };
}
