import type { RateBoard, RateView } from '#core/contracts/http/rates';
import type { SendCurrency } from '#core/money';
import { chain, fallbackEurUsd, formatRate, type Rate } from '#core/rate';
import type { EntityManager } from './database.ts';
import { newestEurUsd } from './observations.ts';
import { addPush } from './outbox.ts';
import { RateEntry } from './schema/rates.ts';

/** A rate in force: bolivianos per unit, since when, and whether a person set it or it was derived. */
export interface CurrentRate {
  readonly currency: SendCurrency;
  readonly rate: Rate;
  readonly since: Date;
  readonly source: 'admin' | 'derived';
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
export async function currentRates(em: EntityManager): Promise<CurrentRates | null> {
  const [usd, eur, seen] = await Promise.all([newest(em, 'USD'), newest(em, 'EUR'), newestEurUsd(em)]);
  const eurUsd = seen ?? fallbackEurUsd;
  if (!usd) return null;
  return {
    USD: usd,
    EUR: eur ?? { currency: 'EUR', rate: chain(eurUsd, usd.rate), since: usd.since, source: 'derived' },
    eurUsd,
  };
}

async function newest(em: EntityManager, currency: SendCurrency): Promise<CurrentRate | null> {
  const entry = await em.findOne(RateEntry, { currency }, { orderBy: { id: 'desc' } });
  return entry && { currency, rate: entry.rate, since: entry.createdAt, source: 'admin' };
}

/** Sets a rate from now on and tells every browser, in the transaction of `em`. */
export async function setRate(
  em: EntityManager,
  input: { currency: SendCurrency; rate: Rate; setById: string; at: Date },
): Promise<CurrentRate> {
  const { currency, rate, setById, at } = input;
  em.persist(em.create(RateEntry, { currency, rate, setById, createdAt: at, changeId: null }));
  addPush(em, 'rate-changed', {});
  await em.flush();
  return { currency, rate, since: at, source: 'admin' };
}

/** Wire form of one rate. */
export function toRateView(current: CurrentRate): RateView {
  return {
    currency: current.currency,
    rate: formatRate(current.rate),
    lastUpdated: current.since.toISOString(),
    source: current.source,
  };
}

/** Wire form of the rates in force. */
export function toRateBoard(rates: CurrentRates): RateBoard {
  return { ...toRateView(rates.USD), rates: { USD: toRateView(rates.USD), EUR: toRateView(rates.EUR) } };
}
