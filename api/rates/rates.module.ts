import { Module } from '@nestjs/common';
import { AdminRatesController } from './admin-rates.controller.ts';
import { ComparisonController } from './comparison.controller.ts';
import { RateAlertsController } from './rate-alerts.controller.ts';
import { RateBoardController } from './rate-board.controller.ts';
import { RateSourcesController } from './rate-sources.controller.ts';
import { RatesController } from './rates.controller.ts';

@Module({
  controllers: [
    RatesController,
    RateBoardController,
    ComparisonController,
    RateAlertsController,
    RateSourcesController,
    AdminRatesController,
  ],
})
export class RatesModule {}
