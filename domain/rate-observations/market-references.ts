import { freshnessAt } from '#core/comparison/comparison';
import type { SendCurrency } from '#core/money/money';
import type { CrossRate } from '#core/rates/cross-rate';
import { median } from '#core/rates/outliers';
import { chain, type Rate } from '#core/rates/rate';
import { type EntityManager, runSql } from '#platform/database/database';
import { type MarketRow, marketSql, type ReferenceFigure, toCrossRate, toFigures } from './observation.repository.ts';

/** Market rates per unit: the median of fresh reference sources, or null if none is fresh. */
export type ReferenceRates = Readonly<Record<SendCurrency, Rate | null>>;

/** A reference rate and the fresh figures behind its median. */
export interface MarketReference {
  readonly rate: Rate;
  readonly figures: readonly ReferenceFigure[];
}

export type MarketReferences = Readonly<Record<SendCurrency, MarketReference | null>>;

/** The newest figures of the market, whether fresh or not. */
export interface MarketFigures {
  readonly 'USD/BOB': readonly ReferenceFigure[];
  readonly 'EUR/BOB': readonly ReferenceFigure[];
  readonly crossRate: CrossRate | null;
}

/** The earliest time of figures that can be fresh at `now` or later. `everyMs`: interval of the runs, in ms. */
export function figuresSince(now: Date, everyMs: number): Date {
  return new Date(now.getTime() - 2 * everyMs);
}

/** Reads the figures that can be fresh at `now` or later. `everyMs`: interval of the runs, in ms. */
export async function readMarketFigures(em: EntityManager, now: Date, everyMs: number): Promise<MarketFigures> {
  const [row] = await runSql<{ market: MarketRow }>(em, readMarket, [figuresSince(now, everyMs)]);
  return toMarketFigures((row as { market: MarketRow }).market);
}

const readMarket = `select ${marketSql('$1')} as market`;

export function toMarketFigures({ references, crossRate }: MarketRow): MarketFigures {
  return {
    'USD/BOB': toFigures(references['USD/BOB']),
    'EUR/BOB': toFigures(references['EUR/BOB']),
    crossRate: toCrossRate(crossRate),
  };
}

/**
 * The references that follow from the market's figures. Without direct sources the euro follows the dollar and the ECB.
 */
export function referencesFrom(figures: MarketFigures, now: Date, everyMs: number): MarketReferences {
  const referenceOf = (pair: 'USD/BOB' | 'EUR/BOB') => {
    const fresh = figures[pair].filter(({ observedAt }) => freshnessAt(observedAt, now, everyMs) === 'live');
    const rate = median(fresh.map((figure) => figure.rate));
    return rate === null ? null : { rate, figures: fresh };
  };
  const USD = referenceOf('USD/BOB');
  const EUR = referenceOf('EUR/BOB');
  const { crossRate } = figures;
  const isCrossRateValid = crossRate !== null && now < crossRate.validUntil;
  return { USD, EUR: EUR ?? (USD && isCrossRateValid ? inEuros(USD, crossRate.rate) : null) };
}

/** Market rates with their sources, for comparison with ours. `everyMs`: interval of the runs, in ms. */
export async function marketReferences(em: EntityManager, now: Date, everyMs: number): Promise<MarketReferences> {
  return referencesFrom(await readMarketFigures(em, now, everyMs), now, everyMs);
}

/** Market rates without their sources. `everyMs`: interval of the runs, in ms. */
export async function referenceRates(em: EntityManager, now: Date, everyMs: number): Promise<ReferenceRates> {
  return ratesOf(await marketReferences(em, now, everyMs));
}

export function ratesOf({ USD, EUR }: MarketReferences): ReferenceRates {
  return { USD: USD?.rate ?? null, EUR: EUR?.rate ?? null };
}

function inEuros({ rate, figures }: MarketReference, eurUsd: Rate): MarketReference {
  return {
    rate: chain(eurUsd, rate),
    figures: figures.map((figure) => ({ ...figure, rate: chain(eurUsd, figure.rate) })),
  };
}
