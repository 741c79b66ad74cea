import { setTimeout as pause } from 'node:timers/promises';
import { Controller, Inject } from '@nestjs/common';
import { choosePrices, compare, type RankedRow, type ShownPrice } from '#core/comparison/comparison';
import { Failure } from '#core/contracts/failures';
import type { ComparisonRow, ComparisonView, ScraperView } from '#core/contracts/http/comparison';
import { endpoints } from '#core/contracts/http/endpoints';
import { formatMinor, type SendCurrency } from '#core/money/money';
import { formatRate } from '#core/rates/rate';
import { competitorNames, rateSources } from '#core/rates/sources';
import { knownPrices, openRateRun } from '#domain/rate-sources/observation.repository';
import { RateRun } from '#domain/rate-sources/rate-run.entity';
import { ratesInForce } from '#domain/rates/quotes';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database } from '#platform/database/database';
import { RateLimits } from '../access/rate-limits.ts';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { ENV, RATE_RUN_WAIT_MS } from '../tokens.ts';

/** How often a forced update looks whether its run is over. */
const lookEveryMs = 200;

interface Question {
  readonly amount: bigint;
  readonly currency: SendCurrency;
}

/** Our price beside those of others, and the forced update of theirs. */
@Controller()
export class ComparisonController {
  constructor(
    private readonly database: Database,
    private readonly rateLimits: RateLimits,
    @Inject(ENV) private readonly env: ApiConfiguration,
    @Inject(RATE_RUN_WAIT_MS) private readonly waitMs: number,
  ) {}

  @Serve(endpoints.exchangeRates)
  async exchangeRates(@Call() { query }: CallOf<typeof endpoints.exchangeRates>): Promise<ComparisonView> {
    const { rate, since } = (await ratesInForce(this.database.fork(), this.env))[query.currency];
    const theirs = await this.#prices(query);
    const compared = compare({ totalMinor: query.amount, ours: { rate, since, fee: this.env.fee }, theirs });
    const times = [since, ...theirs.flatMap(({ collectedAt }) => (collectedAt ? [collectedAt] : []))];
    return {
      currency: query.currency,
      amount: formatMinor(query.amount),
      lastUpdated: new Date(Math.max(...times.map((time) => time.getTime()))).toISOString(),
      ourRate: toRow(compared.ours),
      competitors: compared.theirs.map(toRow),
      claimPercent: compared.claimPercent,
    };
  }

  @Serve(endpoints.scraper)
  scraper(@Call() { query }: CallOf<typeof endpoints.scraper>): Promise<ScraperView> {
    return this.#scraped(query);
  }

  @Serve(endpoints.scraperFor)
  scraperFor(@Call() { params }: CallOf<typeof endpoints.scraperFor>): Promise<ScraperView> {
    return this.#scraped(params);
  }

  @Serve(endpoints.updateRates)
  async update(@Call() { body, person }: CallOf<typeof endpoints.updateRates>) {
    // Where money is real, other people's sites are not asked because any sender says so.
    if (this.env.mode === 'live' && person.user.role !== 'admin') throw new Failure('forbidden');
    await this.rateLimits.take('rateUpdatesPerPerson', person.user.id);
    const input = {
      trigger: 'forced' as const,
      amountMinor: body.amount,
      everyMs: this.env.rates.everyMs,
      at: new Date(),
    };
    const { runId } = await this.database.transaction((em) => openRateRun(em, input));
    const results = (await this.#finished(runId))?.results;
    if (!results) {
      return { updated: 0, failed: rateSources.map((source) => ({ source, reason: 'sin respuesta todavía' })) };
    }
    const failed = results.flatMap(({ source, failure }) => (failure ? [{ source, reason: failure.code }] : []));
    return { updated: results.length - failed.length, failed };
  }

  /** The run once it is over, or null when that takes too long; it then goes on without anybody waiting. */
  async #finished(runId: string): Promise<RateRun | null> {
    const end = Date.now() + this.waitMs;
    while (Date.now() < end) {
      const run = await this.database.fork().findOne(RateRun, { id: runId });
      if (run?.finishedAt) return run;
      await pause(lookEveryMs);
    }
    return null;
  }

  async #prices({ amount, currency }: Question): Promise<ShownPrice[]> {
    const now = new Date();
    const known = await knownPrices(this.database.fork(), currency, now);
    return choosePrices(known, { amountMinor: amount, currency, now, everyMs: this.env.rates.everyMs });
  }

  async #scraped(question: Question): Promise<ScraperView> {
    const prices = await this.#prices(question);
    return {
      timestamp: new Date().toISOString(),
      amount: formatMinor(question.amount),
      currency: question.currency,
      results: Object.fromEntries(
        prices.map(({ competitor, rate, feeMinor, freshness, collectedAt }) => [
          competitor,
          {
            name: competitorNames[competitor],
            rate: formatRate(rate),
            fee: formatMinor(feeMinor),
            freshness,
            collectedAt: collectedAt?.toISOString() ?? null,
          },
        ]),
      ),
    };
  }
}

function toRow(row: RankedRow): ComparisonRow {
  return {
    id: row.id,
    name: row.id === 'chasqui' ? 'Chasqui' : competitorNames[row.id],
    rate: formatRate(row.rate),
    fee: formatMinor(row.feeMinor),
    received: formatMinor(row.receivedMinor),
    rank: row.rank,
    freshness: row.freshness,
    collectedAt: row.collectedAt?.toISOString() ?? null,
    method: methodOf(row),
    differencePercent: row.differencePercent,
  };
}

function methodOf({ id, freshness, source }: RankedRow): string {
  if (id === 'chasqui') return 'tasa vigente';
  if (freshness === 'reference') return 'valor de referencia, sin datos en vivo';
  return source === 'wiseComparison' ? 'comparador de Wise' : 'precio directo';
}
