import { Module } from '@nestjs/common';
import { RecipientsController } from './recipients.controller.ts';

@Module({ controllers: [RecipientsController] })
export class RecipientsModule {}
