import { Module } from '@nestjs/common';
import { AdminTransfersController } from './admin-transfers.controller.ts';
import { ReceiptsController } from './receipts.controller.ts';
import { TransfersController } from './transfers.controller.ts';

@Module({ controllers: [TransfersController, ReceiptsController, AdminTransfersController] })
export class TransfersModule {}
