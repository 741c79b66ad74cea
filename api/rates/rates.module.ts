import { Module } from '@nestjs/common';
import { ArrivalTimes } from '#domain/payouts/arrival-times';
import { PublicRates } from '#domain/rates/public-rates';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database } from '#platform/database/database';
import { ENV } from '../tokens.ts';
import { AdminRatesController } from './admin-rates.controller.ts';
import { ComparisonController } from './comparison.controller.ts';
import { RateAlertsController } from './rate-alerts.controller.ts';
import { RateSeriesController } from './rate-series.controller.ts';
import { RateSourcesController } from './rate-sources.controller.ts';
import { RatesController } from './rates.controller.ts';

@Module({
  controllers: [
    RatesController,
    RateSeriesController,
    ComparisonController,
    RateAlertsController,
    RateSourcesController,
    AdminRatesController,
  ],
  providers: [
    {
      provide: PublicRates,
      inject: [Database, ENV],
      useFactory: (database: Database, { rates }: ApiConfiguration) => new PublicRates(database, rates),
    },
    {
      provide: ArrivalTimes,
      inject: [Database],
      useFactory: (database: Database) => new ArrivalTimes(database),
    },
  ],
})
export class RatesModule {}
