import { Module } from '@nestjs/common';
import { PapersController } from '../papers/papers.controller.ts';
import { AdminTransfersController } from './admin-transfers.controller.ts';
import { ReceiptsController } from './receipts.controller.ts';
import { TransfersController } from './transfers.controller.ts';

@Module({ controllers: [TransfersController, ReceiptsController, PapersController, AdminTransfersController] })
export class TransfersModule {}
