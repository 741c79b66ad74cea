import { Module } from '@nestjs/common';
import { NewsController } from '../notifications/news.controller.ts';
import { PapersController } from '../papers/papers.controller.ts';
import { AdminTransfersController } from './admin-transfers.controller.ts';
import { ReceiptsController } from './receipts.controller.ts';
import { RepeatsController } from './repeats.controller.ts';
import { ReviewsController } from './reviews.controller.ts';
import { TrackingController } from './tracking.controller.ts';
import { TransfersController } from './transfers.controller.ts';

@Module({
  controllers: [
    TransfersController,
    ReceiptsController,
    PapersController,
    TrackingController,
    NewsController,
    RepeatsController,
    AdminTransfersController,
    ReviewsController,
  ],
})
export class TransfersModule {}
