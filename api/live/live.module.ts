import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.ts';
import { LiveGateway } from './live.gateway.ts';

@Module({ imports: [AccessModule], providers: [LiveGateway], exports: [LiveGateway] })
export class LiveModule {}
