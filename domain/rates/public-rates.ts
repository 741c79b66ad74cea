import { choosePrices, type KnownPrice, type ShownPrice } from '#core/comparison/comparison';
import type { SendCurrency } from '#core/money/money';
import type { Rate } from '#core/rates/rate';
import type { Database } from '#platform/database/database';
import {
  type MarketFigures,
  type ReferenceRates,
  ratesOf,
  readMarketFigures,
  referencesFrom,
} from '../rate-observations/market-references.ts';
import { type BankBoard, knownPrices, newestBankBoard } from '../rate-observations/observation.repository.ts';
import { CachedReads } from './cached-reads.ts';
import { available, type CurrentRates, type RateFacts, ratesFrom, readRateFacts } from './current-rates.ts';
import type { RateRules } from './rate-rules.ts';
import { type RatePoint, rateSeries, showsDollarHistory } from './rate-series.repository.ts';

interface Snapshot {
  readonly facts: RateFacts;
  readonly figures: MarketFigures;
  readonly prices: Readonly<Record<SendCurrency, readonly KnownPrice[]>>;
}

/**
 * Public rates and prices, read from the database once for all callers of this process until something new is stored.
 * Payments do not use it: they read the rates in the transaction that opens the transfer.
 */
export class PublicRates {
  readonly #reads: CachedReads;
  readonly #rules: Pick<RateRules, 'everyMs' | 'pauseAfterMs'>;

  constructor(database: Database, rules: Pick<RateRules, 'everyMs' | 'pauseAfterMs'>) {
    this.#reads = new CachedReads(database);
    this.#rules = rules;
  }

  /** The rates in force and the market's references. @throws Failure `rate_unavailable` while no rate was ever set. */
  async current(now = new Date()): Promise<{ rates: CurrentRates; reference: ReferenceRates }> {
    const { facts, figures } = await this.#snapshot();
    const { everyMs, pauseAfterMs } = this.#rules;
    const rates = available(ratesFrom(facts, { now, pauseAfterMs }));
    return { rates, reference: ratesOf(referencesFrom(figures, now, everyMs)) };
  }

  /** The displayed price of each competitor for an amount in minor units. */
  async competitorPrices(query: { amount: bigint; currency: SendCurrency }, now = new Date()): Promise<ShownPrice[]> {
    const { amount: amountMinor, currency } = query;
    const { prices } = await this.#snapshot();
    return choosePrices(prices[currency], { amountMinor, currency, now, everyMs: this.#rules.everyMs });
  }

  /**
   * The central bank's table, null if it was never read, and the figures to compare it with: our rates, null without
   * any, and dollars per euro, null without a valid ECB fixing.
   */
  async banks(now = new Date()): Promise<{ board: BankBoard | null; rates: CurrentRates | null; eurUsd: Rate | null }> {
    const board = await this.#reads.read('banks', newestBankBoard);
    const { facts } = await this.#snapshot();
    const { crossRate } = facts;
    return {
      board,
      rates: ratesFrom(facts, { now, pauseAfterMs: this.#rules.pauseAfterMs }),
      eurUsd: crossRate && now < crossRate.validUntil ? crossRate.rate : null,
    };
  }

  /** A currency's rates over the last days, and whether others collected a part of them. */
  series(currency: SendCurrency, days: number): Promise<{ points: RatePoint[]; history: boolean }> {
    return this.#reads.read(`series ${currency} ${days}`, async (em) => {
      const points = await rateSeries(em, { currency, days, now: new Date() });
      return { points, history: await showsDollarHistory(em, points) };
    });
  }

  #snapshot(): Promise<Snapshot> {
    return this.#reads.read('snapshot', async (em) => {
      const now = new Date();
      return {
        facts: await readRateFacts(em),
        figures: await readMarketFigures(em, now, this.#rules.everyMs),
        prices: { USD: await knownPrices(em, 'USD', now), EUR: await knownPrices(em, 'EUR', now) },
      };
    });
  }
}
