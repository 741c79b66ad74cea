import type { SendCurrency } from '#core/money/money';
import { chain, type Rate } from '#core/rates/rate';
import type { Competitor, RatePair } from '#core/rates/sources';
import { dayMs, laPazDay, laPazZone } from '#core/time/time';
import type { EntityManager } from '#platform/database/database';
import { dollarHistoryHash, historyEnd } from '../rate-observations/dollar-history.ts';

/** One day of La Paz in the history of a currency's rate. Null where unknown. */
export interface RatePoint {
  /** "YYYY-MM-DD". */
  readonly date: string;
  /** In force at the end of the day, or now. */
  readonly ours: Rate | null;
  /** Median of the medians of that day's reference sources. */
  readonly reference: Rate | null;
  /** Median of each one's prices of that day; its own site takes precedence over a comparison. */
  readonly competitors: Partial<Record<Competitor, Rate>>;
}

type ByDay = ReadonlyMap<string, Rate>;

/** A range of days in La Paz, both included. */
interface Days {
  readonly first: string;
  readonly last: string;
}

/**
 * The last `days` days up to today, oldest first, with a point for each. A euro without a separate rate followed the
 * dollar through the ECB's last fixing by then; before the first one it has no figure.
 */
export async function rateSeries(
  em: EntityManager,
  { currency, days, now }: { currency: SendCurrency; days: number; now: Date },
): Promise<RatePoint[]> {
  const range = { first: laPazDay(new Date(now.getTime() - (days - 1) * dayMs)), last: laPazDay(now) };
  const own = await ratesSet(em, currency, range);
  const reference = await references(em, `${currency}/BOB`, range);
  const competitors = await competitorPrices(em, currency, range);
  const viaDollar = currency === 'EUR' ? await eurosThroughDollars(em, range) : null;
  return Array.from({ length: days }, (_, index) => {
    const date = laPazDay(new Date(now.getTime() - (days - 1 - index) * dayMs));
    return {
      date,
      ours: own.get(date) ?? viaDollar?.ours(date) ?? null,
      reference: reference.get(date) ?? viaDollar?.reference(date) ?? null,
      competitors: competitors.get(date) ?? {},
    };
  });
}

/** Whether a series shows historical figures collected by others, who must then be credited. */
export async function showsDollarHistory(em: EntityManager, points: readonly RatePoint[]): Promise<boolean> {
  if (!points.some(({ date, reference }) => reference !== null && date <= historyEnd)) return false;
  const found = await em.execute(
    `select 1 from rate_observation where kind = 'reference' and pair = 'USD/BOB' and observed_at < ? and raw_hash = ? limit 1`,
    [new Date(Date.parse(historyEnd) + dayMs), dollarHistoryHash],
  );
  return found.length > 0;
}

async function eurosThroughDollars(em: EntityManager, range: Days) {
  const eurUsd = await eurUsdFixings(em, range);
  const ours = await ratesSet(em, 'USD', range);
  const reference = await references(em, 'USD/BOB', range);
  const through = (usd: ByDay) => (date: string) => {
    const [euro, dollar] = [eurUsd.get(date), usd.get(date)];
    return euro && dollar ? chain(euro, dollar) : null;
  };
  return { ours: through(ours), reference: through(reference) };
}

/** The rate set last by the end of each day. */
async function ratesSet(em: EntityManager, currency: SendCurrency, days: Days): Promise<ByDay> {
  return lastKnown(em, `select id, rate, created_at as at from rate where currency = '${currency}'`, days);
}

/** The last ECB fixing in dollars per euro by the end of each day, regardless of age. */
async function eurUsdFixings(em: EntityManager, days: Days): Promise<ByDay> {
  const fixings = `select id, rate, observed_at as at from rate_observation
    where kind = 'reference' and pair = 'EUR/USD' and source = 'ecb' and not outlier`;
  const start = `?::timestamp at time zone '${laPazZone}'`;
  const within = `(${fixings} and observed_at >= ${start})
    union all (${fixings} and observed_at < ${start} order by observed_at desc, id desc limit 1)`;
  return lastKnown(em, within, days, [days.first, days.first]);
}

/**
 * The last of append-only rows by the end of each day. Ids grow with time, so the newest so far is the largest so far.
 */
async function lastKnown(
  em: EntityManager,
  rowsSql: string,
  { first, last }: Days,
  values: readonly string[] = [],
): Promise<ByDay> {
  return byDay(
    await em.execute(
      `with known as (${rowsSql}),
       newest as (
         select greatest((at at time zone '${laPazZone}')::date, ?::date) as day, max(id) as id from known group by 1),
       so_far as (
         select days.day::date as day, max(id) over (order by days.day) as id
           from generate_series(?::timestamp, ?::timestamp, '1 day') as days (day) left join newest using (day))
       select so_far.day::text, rate from so_far join known using (id)`,
      [...values, first, first, last],
    ),
  );
}

/** The market on each day: every source has one vote, the median of its figures of that day. */
async function references(em: EntityManager, pair: RatePair, { first }: Days): Promise<ByDay> {
  return byDay(
    await em.execute(
      `with figures as (
         select (observed_at at time zone '${laPazZone}')::date as day, source, rate from rate_observation
           where kind = 'reference' and pair = ? and not outlier
             and observed_at >= ?::timestamp at time zone '${laPazZone}'),
       votes as (
         select day, source, percentile_disc(0.5) within group (order by rate) as rate from figures group by day, source)
       select day::text, percentile_disc(0.5) within group (order by rate) as rate from votes group by day`,
      [pair, first],
    ),
  );
}

/** Each competitor's price on each day, for any amount. */
async function competitorPrices(
  em: EntityManager,
  currency: SendCurrency,
  { first }: Days,
): Promise<Map<string, Partial<Record<Competitor, Rate>>>> {
  const rows: { day: string; competitor: Competitor; rate: string }[] = await em.execute(
    `with prices as (
       select (observed_at at time zone '${laPazZone}')::date as day, competitor, source = 'wiseComparison' as compared,
              rate
         from rate_observation
         where kind = 'price' and pair = ? and not outlier
           and observed_at >= ?::timestamp at time zone '${laPazZone}'),
     medians as (
       select day, competitor, compared, percentile_disc(0.5) within group (order by rate) as rate
         from prices group by day, competitor, compared)
     select distinct on (day, competitor) day::text, competitor, rate from medians order by day, competitor, compared`,
    [`${currency}/BOB`, first],
  );
  const found = new Map<string, Partial<Record<Competitor, Rate>>>();
  for (const { day, competitor, rate } of rows) {
    found.set(day, { ...found.get(day), [competitor]: BigInt(rate) as Rate });
  }
  return found;
}

const byDay = (rows: readonly { day: string; rate: string }[]): ByDay =>
  new Map(rows.map(({ day, rate }) => [day, BigInt(rate) as Rate]));
