import { Controller, Inject } from '@nestjs/common';
import { endpoints } from '#core/contracts/http/endpoints';
import type { QuoteView, RateBoard, RateView } from '#core/contracts/http/rates';
import { estimateDelivery } from '#core/transfers/delivery';
import { PublicRates } from '#domain/rates/public-rates';
import { quoteAt } from '#domain/rates/quotes';
import { toQuoteView, toRateBoard, toRateView } from '#domain/rates/rate-views';
import type { ApiConfiguration } from '#platform/configuration/api';
import { RateLimited } from '../access/rate-limit.guard.ts';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { ENV } from '../tokens.ts';

/** Rates in force and indicative quotes, for everybody. */
@Controller()
export class RatesController {
  constructor(
    private readonly publicRates: PublicRates,
    @Inject(ENV) private readonly env: ApiConfiguration,
  ) {}

  @Serve(endpoints.getRates)
  async all(): Promise<RateBoard> {
    return toRateBoard((await this.publicRates.current()).rates);
  }

  @Serve(endpoints.getRate)
  async one(@Call() { params }: CallOf<typeof endpoints.getRate>): Promise<RateView> {
    return toRateView((await this.publicRates.current()).rates[params.currency]);
  }

  @Serve(endpoints.quote)
  @RateLimited('quotesPerNetwork')
  async quote(@Call() { body }: CallOf<typeof endpoints.quote>): Promise<QuoteView> {
    const { rates, reference } = await this.publicRates.current();
    return toQuoteView(quoteAt(rates, reference, this.env.fee, body), {
      rateUpdatedAt: rates[body.currency].since,
      eurUsd: rates.eurUsd,
      estimatedDelivery: estimateDelivery(new Date(), 'bank'),
      betterRate: this.env.betterRate,
    });
  }
}
