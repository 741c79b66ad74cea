import { Failure } from '#core/contracts/failures';
import type { SendCurrency } from '#core/money/money';
import type { CrossRate } from '#core/rates/cross-rate';
import { chain, fallbackEurUsd, type Rate, ratio } from '#core/rates/rate';
import { earliest, latest } from '#core/time/time';
import { type EntityManager, runSql } from '#platform/database/database';
import { figuresSince } from '../rate-observations/market-references.ts';
import { type MarketRow, marketSql, toCrossRate } from '../rate-observations/observation.repository.ts';
import { newestRateIdSql, newestRateSql } from './rate.repository.ts';
import type { RateRules } from './rate-rules.ts';

/** A rate in force: bolivianos per unit, since when, and whether an admin set it or it was derived. */
export interface CurrentRate {
  readonly currency: SendCurrency;
  readonly rate: Rate;
  readonly since: Date;
  readonly source: 'admin' | 'derived';
  /** When a market reference last updated it; null if none ever did. */
  readonly marketUpdatedAt: Date | null;
  /** When payments at it pause, unless the market or an admin updates it before. */
  readonly pausesAt: Date;
  /** Quoted, but payments at it are off. */
  readonly paused: boolean;
}

export interface CurrentRates {
  readonly USD: CurrentRate;
  readonly EUR: CurrentRate;
  /** Dollars per euro, for limits and statistics. */
  readonly eurUsd: Rate;
}

/** Everything that determines the rates in force at any time. */
export interface RateFacts {
  readonly set: Readonly<Record<SendCurrency, { readonly rate: Rate; readonly createdAt: Date } | null>>;
  readonly crossRate: CrossRate | null;
  readonly referenceAt: Readonly<Record<SendCurrency, Date | null>>;
}

/** The time at which rates are evaluated, and how long they hold without an update. */
export interface RateMoment extends Pick<RateRules, 'pauseAfterMs'> {
  readonly now: Date;
}

/** The published data as JSON. */
export interface PublishedRow {
  readonly newestRateId: string | null;
  readonly set: Readonly<Record<SendCurrency, { readonly rate: string; readonly createdAt: string } | null>>;
  readonly market: MarketRow;
}

/** SQL: a `PublishedRow` as JSON, to be read with something else; `since`: earliest time of the market figures. */
export const publishedSql = (since: string): string => `jsonb_build_object(
  'newestRateId', ${newestRateIdSql}::text, 'market', ${marketSql(since)},
  'set', jsonb_build_object('USD', ${newestRateSql('USD')}, 'EUR', ${newestRateSql('EUR')}))`;

/** The facts in a `PublishedRow`. */
export function toRateFacts({ set, market: { crossRate, lastReferenceAt } }: PublishedRow): RateFacts {
  return {
    set: { USD: toSetRate(set.USD), EUR: toSetRate(set.EUR) },
    crossRate: toCrossRate(crossRate),
    referenceAt: { USD: toDate(lastReferenceAt['USD/BOB']), EUR: toDate(lastReferenceAt['EUR/BOB']) },
  };
}

const toDate = (text: string | null) => (text === null ? null : new Date(text));
const toSetRate = (row: PublishedRow['set'][SendCurrency]) =>
  row && { rate: BigInt(row.rate) as Rate, createdAt: new Date(row.createdAt) };

const readPublished = `select ${publishedSql('$1')} as published`;

/** Everything published, in one statement, with the market figures that can be fresh at `now` or later. */
export async function readPublishedRates(
  em: EntityManager,
  { now, everyMs }: { now: Date; everyMs: number },
): Promise<PublishedRow> {
  const [row] = await runSql<{ published: PublishedRow }>(em, readPublished, [figuresSince(now, everyMs)]);
  return (row as { published: PublishedRow }).published;
}

/** Reads the facts that determine the rates in force. */
export async function readRateFacts(em: EntityManager): Promise<RateFacts> {
  return toRateFacts(await readPublishedRates(em, { now: new Date(), everyMs: 0 }));
}

/**
 * The rates in force, or null while no dollar rate was ever set: then nothing is quoted. A euro without a separate rate
 * follows the dollar through the ECB's fixing; if that is missing or too old, the euro is quoted but not payable.
 */
export function ratesFrom(facts: RateFacts, moment: RateMoment): CurrentRates | null {
  const [USD, EUR] = [dollarRate(facts, moment), euroRate(facts, moment)];
  return USD && EUR && { USD, EUR, eurUsd: eurUsdOf(facts, moment, USD, EUR) };
}

/** `ratesFrom` the database. */
export async function currentRates(em: EntityManager, moment: RateMoment): Promise<CurrentRates | null> {
  return ratesFrom(await readRateFacts(em), moment);
}

/** The rate of one currency, or null while it has none, not even a derived one. */
export async function currentRate(
  em: EntityManager,
  currency: SendCurrency,
  moment: RateMoment,
): Promise<CurrentRate | null> {
  const facts = await readRateFacts(em);
  return currency === 'USD' ? dollarRate(facts, moment) : euroRate(facts, moment);
}

/** The rates in force. @throws Failure `rate_unavailable` while there are none: then nothing is quoted or paid. */
export async function ratesInForce(
  em: EntityManager,
  rules: Pick<RateRules, 'pauseAfterMs'>,
  now = new Date(),
): Promise<CurrentRates> {
  return available(await currentRates(em, { now, pauseAfterMs: rules.pauseAfterMs }));
}

/** @throws Failure `rate_unavailable` when there are no rates. */
export function available(rates: CurrentRates | null): CurrentRates {
  if (!rates) throw new Failure('rate_unavailable');
  return rates;
}

/** When an admin or the market last updated a rate. */
export function lastUpdatedAt({ since, marketUpdatedAt }: Pick<CurrentRate, 'since' | 'marketUpdatedAt'>): Date {
  return marketUpdatedAt ? latest(since, marketUpdatedAt) : since;
}

/** The quoted rate of a euro without a separate rate. */
export function deriveEuro(dollar: Rate, crossRate: CrossRate | null): Rate {
  return chain(crossRate?.rate ?? fallbackEurUsd, dollar);
}

function dollarRate({ set, referenceAt }: RateFacts, moment: RateMoment): CurrentRate | null {
  if (!set.USD) return null;
  const { rate, createdAt: since } = set.USD;
  const marketUpdatedAt = referenceAt.USD;
  const pausesAt = pauseOf(since, marketUpdatedAt, moment);
  return { currency: 'USD', rate, since, source: 'admin', marketUpdatedAt, pausesAt, paused: moment.now > pausesAt };
}

function euroRate({ set, crossRate, referenceAt }: RateFacts, moment: RateMoment): CurrentRate | null {
  // An update of the dollar also updates the euro while the fixing between them is valid.
  const throughDollar = crossRate && referenceAt.USD && earliest(referenceAt.USD, crossRate.validUntil);
  const updates = [throughDollar, referenceAt.EUR].filter((at) => at !== null);
  const marketUpdatedAt = updates.length === 0 ? null : latest(...updates);
  if (set.EUR) {
    const { rate, createdAt: since } = set.EUR;
    const pausesAt = pauseOf(since, marketUpdatedAt, moment);
    return { currency: 'EUR', rate, since, source: 'admin', marketUpdatedAt, pausesAt, paused: moment.now > pausesAt };
  }
  if (!set.USD) return null;
  const rate = deriveEuro(set.USD.rate, crossRate);
  const since = set.USD.createdAt;
  const pausesAt = crossRate ? earliest(pauseOf(since, marketUpdatedAt, moment), crossRate.validUntil) : since;
  const paused = !crossRate || moment.now > pausesAt;
  return { currency: 'EUR', rate, since, source: 'derived', marketUpdatedAt, pausesAt, paused };
}

/** A payable euro has either a valid fixing or a separate rate, so no payment is ever measured by a constant. */
function eurUsdOf({ crossRate }: RateFacts, { now }: RateMoment, USD: CurrentRate, EUR: CurrentRate): Rate {
  if (crossRate && now < crossRate.validUntil) return crossRate.rate;
  return EUR.source === 'admin' ? ratio(EUR.rate, USD.rate) : (crossRate?.rate ?? fallbackEurUsd);
}

function pauseOf(since: Date, marketUpdatedAt: Date | null, { pauseAfterMs }: RateMoment): Date {
  return new Date(lastUpdatedAt({ since, marketUpdatedAt }).getTime() + pauseAfterMs);
}
