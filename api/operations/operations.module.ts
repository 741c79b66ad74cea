import { Module } from '@nestjs/common';
import { AuditController } from '../audit/audit.controller.ts';
import { FiguresController } from '../monitoring/figures.controller.ts';
import { QueuesController } from '../queue-board/queues.controller.ts';
import { WebhooksController } from '../webhooks/webhooks.controller.ts';
import { ComplaintsController } from './complaints.controller.ts';
import { DeskController } from './desk.controller.ts';
import { DisputesController } from './disputes.controller.ts';
import { FilesController } from './files.controller.ts';
import { MoneyStopsController } from './money-stops.controller.ts';

@Module({
  controllers: [
    AuditController,
    ComplaintsController,
    DeskController,
    DisputesController,
    FiguresController,
    FilesController,
    MoneyStopsController,
    QueuesController,
    WebhooksController,
  ],
})
export class OperationsModule {}
