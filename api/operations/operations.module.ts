import { Module } from '@nestjs/common';
import { DeskController } from './desk.controller.ts';
import { DisputesController } from './disputes.controller.ts';

@Module({ controllers: [DeskController, DisputesController] })
export class OperationsModule {}
