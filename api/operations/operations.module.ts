import { Module } from '@nestjs/common';
import { DeskController } from './desk.controller.ts';

@Module({ controllers: [DeskController] })
export class OperationsModule {}
