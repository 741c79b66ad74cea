import { Controller, Inject } from '@nestjs/common';
import { endpoints } from '#core/contracts/http/endpoints';
import type { QuoteView, RateBoard, RateView } from '#core/contracts/http/rates';
import { Database } from '#platform/database/database';
import { referenceRates } from '#platform/database/observations';
import { toRateBoard, toRateView } from '#platform/database/rates';
import type { Env } from '#platform/env';
import { Call, type CallOf, Serve } from '../contract/serve.ts';
import { ENV } from '../parts.ts';
import { quoteAt, ratesInForce, toQuoteView } from './quotes.ts';

/** Rates in force and indicative quotes, for everybody. */
@Controller()
export class RatesController {
  constructor(
    private readonly database: Database,
    @Inject(ENV) private readonly env: Env,
  ) {}

  @Serve(endpoints.getRates)
  async board(): Promise<RateBoard> {
    return toRateBoard(await ratesInForce(this.database.read(), this.env));
  }

  @Serve(endpoints.getRate)
  async one(@Call() { params }: CallOf<typeof endpoints.getRate>): Promise<RateView> {
    return toRateView((await ratesInForce(this.database.read(), this.env))[params.currency]);
  }

  @Serve(endpoints.quote)
  async quote(@Call() { body }: CallOf<typeof endpoints.quote>): Promise<QuoteView> {
    const em = this.database.read();
    const rates = await ratesInForce(em, this.env);
    const reference = await referenceRates(em, new Date(), this.env.rates.everyMs);
    const rateUpdatedAt = rates[body.currency].since;
    return toQuoteView(quoteAt(rates, reference, this.env, body), { rateUpdatedAt, eurUsd: rates.eurUsd });
  }
}
