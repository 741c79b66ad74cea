import { Controller, Inject } from '@nestjs/common';
import { isPermitted } from '#core/accounts/roles';
import { Failure } from '#core/contracts/failures';
import type { ComparisonView, ScraperView } from '#core/contracts/http/comparison';
import { endpoints } from '#core/contracts/http/endpoints';
import { adminRoleOf } from '#domain/accounts/account.repository';
import { forceRateRun } from '#domain/rate-observations/force-rate-run';
import { type ComparisonQuery, toComparisonView, toScraperView } from '#domain/rates/comparison';
import { PublicRates } from '#domain/rates/public-rates';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database } from '#platform/database/database';
import { RateLimits } from '../access/rate-limits.ts';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { ENV, RATE_RUN_WAIT_MS } from '../tokens.ts';
import { toForcedRunView } from './source-views.ts';

/** Our price compared with competitors' prices, and the forced update of theirs. */
@Controller()
export class ComparisonController {
  constructor(
    private readonly database: Database,
    private readonly publicRates: PublicRates,
    private readonly rateLimits: RateLimits,
    @Inject(ENV) private readonly env: ApiConfiguration,
    @Inject(RATE_RUN_WAIT_MS) private readonly waitMs: number,
  ) {}

  @Serve(endpoints.exchangeRates)
  async exchangeRates(@Call() { query }: CallOf<typeof endpoints.exchangeRates>): Promise<ComparisonView> {
    const { rates } = await this.publicRates.current();
    const theirs = await this.publicRates.competitorPrices(query);
    return toComparisonView(query, rates[query.currency], this.env.fee, theirs);
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
    // In live mode only admins may trigger requests to other companies' sites.
    if (this.env.mode === 'live' && !isPermitted(adminRoleOf(person.user), 'refresh')) throw new Failure('forbidden');
    await this.rateLimits.take('rateUpdatesPerPerson', person.user.id);
    const request = { amountMinor: body.amount, everyMs: this.env.rates.everyMs, waitMs: this.waitMs };
    return toForcedRunView(await forceRateRun(this.database, request));
  }

  async #scraped(query: ComparisonQuery): Promise<ScraperView> {
    const now = new Date();
    return toScraperView(query, await this.publicRates.competitorPrices(query, now), now);
  }
}
