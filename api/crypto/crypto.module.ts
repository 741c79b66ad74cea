import { Module } from '@nestjs/common';
import type { Stripe } from 'stripe';
import { OnrampSessions } from '#domain/crypto/prepare-onramp-session';
import { Database } from '#platform/database/database';
import type { Logger } from '#platform/logging';
import { LOG, STRIPE } from '../tokens.ts';
import { CryptoController } from './crypto.controller.ts';

@Module({
  controllers: [CryptoController],
  providers: [
    {
      provide: OnrampSessions,
      inject: [Database, STRIPE, LOG],
      useFactory: (database: Database, stripe: Stripe, log: Logger) => new OnrampSessions(database, stripe, log),
    },
  ],
})
export class CryptoModule {}
