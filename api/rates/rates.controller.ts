import { Controller, Inject } from '@nestjs/common';
import { endpoints } from '#core/contracts/http/endpoints';
import type { QuoteView, RateBoard, RateView } from '#core/contracts/http/rates';
import { referenceRates } from '#domain/rate-sources/observation.repository';
import { toRateBoard, toRateView } from '#domain/rates/current-rates';
import { quoteAt, ratesInForce, toQuoteView } from '#domain/rates/quotes';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database } from '#platform/database/database';
import { RateLimited } from '../access/rate-limit.guard.ts';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { ENV } from '../tokens.ts';

/** Rates in force and indicative quotes, for everybody. */
@Controller()
export class RatesController {
  constructor(
    private readonly database: Database,
    @Inject(ENV) private readonly env: ApiConfiguration,
  ) {}

  @Serve(endpoints.getRates)
  async board(): Promise<RateBoard> {
    return toRateBoard(await ratesInForce(this.database.fork(), this.env));
  }

  @Serve(endpoints.getRate)
  async one(@Call() { params }: CallOf<typeof endpoints.getRate>): Promise<RateView> {
    return toRateView((await ratesInForce(this.database.fork(), this.env))[params.currency]);
  }

  @Serve(endpoints.quote)
  @RateLimited('quotesPerNetwork')
  async quote(@Call() { body }: CallOf<typeof endpoints.quote>): Promise<QuoteView> {
    const em = this.database.fork();
    const rates = await ratesInForce(em, this.env);
    const reference = await referenceRates(em, new Date(), this.env.rates.everyMs);
    const rateUpdatedAt = rates[body.currency].since;
    return toQuoteView(quoteAt(rates, reference, this.env, body), { rateUpdatedAt, eurUsd: rates.eurUsd });
  }
}
