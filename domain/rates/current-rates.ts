import type { RateBoard, RateView } from '#core/contracts/http/rates';
import type { SendCurrency } from '#core/money/money';
import { chain, fallbackEurUsd, formatRate, type Rate } from '#core/rates/rate';
import type { EntityManager } from '#platform/database/database';
import { addJob, addPush } from '#platform/outbox/outbox';
import { marketSeen, newestEurUsd } from '../rate-sources/observation.repository.ts';
import { RateChange, RateEntry } from './rate.entity.ts';

/** When rates are looked at, and for how long (ms) silence about one is borne before payments at it pause. */
export interface RateMoment {
  readonly now: Date;
  readonly pauseAfterMs: number;
}

/** A rate in force: bolivianos per unit, since when, and whether a person set it or it was derived. */
export interface CurrentRate {
  readonly currency: SendCurrency;
  readonly rate: Rate;
  readonly since: Date;
  readonly source: 'admin' | 'derived';
  /** The newest reference from the market that says something about it, or null when there never was one. */
  readonly marketSeenAt: Date | null;
  /** Neither an admin nor the market has said anything for too long: it is quoted, but nobody pays at it. */
  readonly paused: boolean;
}

export interface CurrentRates {
  readonly USD: CurrentRate;
  readonly EUR: CurrentRate;
  /** Dollars per euro, for limits and statistics. */
  readonly eurUsd: Rate;
}

/**
 * The rates in force, or null while no dollar rate was ever set: then nothing is quoted. A euro without a rate of its own
 * follows the dollar, through the ECB's rate once that was seen.
 */
export async function currentRates(em: EntityManager, moment: RateMoment): Promise<CurrentRates | null> {
  const [USD, EUR, eurUsd] = await Promise.all([
    currentRate(em, 'USD', moment),
    currentRate(em, 'EUR', moment),
    newestEurUsd(em),
  ]);
  return USD && EUR && { USD, EUR, eurUsd: eurUsd ?? fallbackEurUsd };
}

/** The rate of one currency, or null while it has none, not even a derived one. */
export async function currentRate(
  em: EntityManager,
  currency: SendCurrency,
  { now, pauseAfterMs }: RateMoment,
): Promise<CurrentRate | null> {
  const rate = (await newest(em, currency)) ?? (currency === 'EUR' ? await derived(em) : null);
  if (!rate) return null;
  const marketSeenAt = await marketSeen(em, currency);
  const silentMs = now.getTime() - heardAt({ ...rate, marketSeenAt }).getTime();
  // Computed whenever somebody asks, never stored as truth.
  return { ...rate, marketSeenAt, paused: silentMs > pauseAfterMs };
}

/** When an admin or the market last said anything about a rate. */
export function heardAt({ since, marketSeenAt }: Pick<CurrentRate, 'since' | 'marketSeenAt'>): Date {
  return marketSeenAt && marketSeenAt > since ? marketSeenAt : since;
}

type SetRate = Pick<CurrentRate, 'currency' | 'rate' | 'since' | 'source'>;

async function newest(em: EntityManager, currency: SendCurrency): Promise<SetRate | null> {
  const entry = await em.findOne(RateEntry, { currency }, { orderBy: { id: 'desc' } });
  return entry && { currency, rate: entry.rate, since: entry.createdAt, source: 'admin' };
}

async function derived(em: EntityManager): Promise<SetRate | null> {
  const [usd, eurUsd] = await Promise.all([newest(em, 'USD'), newestEurUsd(em)]);
  return usd && { ...usd, currency: 'EUR', rate: chain(eurUsd ?? fallbackEurUsd, usd.rate), source: 'derived' };
}

/**
 * Puts a rate in force from now on and tells everybody who follows it, in the transaction of `em`. Changes made by people come here from
 * rate-changes.ts, with the change's id. Without one (an installation's first rates) nobody is asked, and a change is
 * recorded that says so: the history is complete either way.
 */
export async function setRate(
  em: EntityManager,
  input: { currency: SendCurrency; rate: Rate; setById: string; at: Date; changeId?: bigint },
): Promise<void> {
  const { currency, rate, setById, at } = input;
  const changeId = input.changeId ?? (await recordUnasked(em, input)).id;
  em.persist(em.create(RateEntry, { currency, rate, setById, createdAt: at, changeId }));
  addPush(em, 'rate-changed', {});
  addJob(em, 'fire-rate-alerts', {});
  addJob(em, 'watch-rates', {});
  await em.flush();
}

async function recordUnasked(
  em: EntityManager,
  input: { currency: SendCurrency; rate: Rate; setById: string; at: Date },
): Promise<RateChange> {
  const { currency, rate, setById, at } = input;
  const change = em.create(RateChange, {
    currency,
    rate,
    previousRate: (await newest(em, currency))?.rate ?? null,
    state: 'activated',
    proposedById: setById,
    proposedAt: at,
    awaitingSince: null,
    reason: null,
    guardRails: [],
    decidedById: null,
    decidedAt: null,
    activateAt: null,
    activatedAt: at,
  });
  await em.persist(change).flush();
  return change;
}

/** Wire form of one rate. */
export function toRateView(current: CurrentRate): RateView {
  return {
    currency: current.currency,
    rate: formatRate(current.rate),
    lastUpdated: current.since.toISOString(),
    source: current.source,
    paused: current.paused,
    marketSeenAt: current.marketSeenAt?.toISOString() ?? null,
  };
}

/** Wire form of the rates in force. */
export function toRateBoard(rates: CurrentRates): RateBoard {
  return { ...toRateView(rates.USD), rates: { USD: toRateView(rates.USD), EUR: toRateView(rates.EUR) } };
}
