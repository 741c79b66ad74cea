import { Controller, Inject } from '@nestjs/common';
import { endpoints } from '#core/contracts/http/endpoints';
import type { ArrivalTimesView, BankBoardView, RateSeriesView } from '#core/contracts/http/rate-series';
import { formatRate, type Rate } from '#core/rates/rate';
import { measuredDays } from '#core/transfers/arrival-times';
import { ArrivalTimes } from '#domain/payouts/arrival-times';
import { toBankBoardView } from '#domain/rates/comparison';
import { PublicRates } from '#domain/rates/public-rates';
import type { RatePoint } from '#domain/rates/rate-series.repository';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { ENV } from '../tokens.ts';

/** Rates over time, what banks in Bolivia pay, and how soon they have the money. */
@Controller()
export class RateSeriesController {
  constructor(
    private readonly publicRates: PublicRates,
    private readonly arrivals: ArrivalTimes,
    @Inject(ENV) private readonly env: ApiConfiguration,
  ) {}

  @Serve(endpoints.rateSeries)
  async series(@Call() { params, query }: CallOf<typeof endpoints.rateSeries>): Promise<RateSeriesView> {
    const days = query.days === '365' ? 365 : 30;
    const { points, history } = await this.publicRates.series(params.currency, days);
    return { currency: params.currency, days, points: points.map(toPoint), history };
  }

  @Serve(endpoints.bankBoard)
  async banks(@Call() { query }: CallOf<typeof endpoints.bankBoard>): Promise<BankBoardView> {
    const { fee, rates: rules } = this.env;
    return toBankBoardView(query, await this.publicRates.banks(), { fee, everyMs: rules.everyMs, now: new Date() });
  }

  @Serve(endpoints.arrivalTimes)
  async arrivalTimes(): Promise<ArrivalTimesView> {
    return { days: measuredDays, times: [...(await this.arrivals.read(new Date()))] };
  }
}

function toPoint({ date, ours, reference, competitors }: RatePoint): RateSeriesView['points'][number] {
  const text = (rate: Rate | null) => rate && formatRate(rate);
  const theirs = Object.entries(competitors).map(([competitor, rate]) => [competitor, formatRate(rate)]);
  return { date, ours: text(ours), reference: text(reference), competitors: Object.fromEntries(theirs) };
}
