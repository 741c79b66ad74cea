import { Module } from '@nestjs/common';
import { ComplaintsController } from './complaints.controller.ts';
import { DeskController } from './desk.controller.ts';
import { DisputesController } from './disputes.controller.ts';

@Module({ controllers: [ComplaintsController, DeskController, DisputesController] })
export class OperationsModule {}
