import { Module } from '@nestjs/common';
import { HelpController } from './help.controller.ts';

@Module({ controllers: [HelpController] })
export class HelpModule {}
