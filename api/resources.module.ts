import { type DynamicModule, Module } from '@nestjs/common';
import { defaultPasswordCost } from '#domain/accounts/passwords';
import { Database } from '#platform/database/database';
import { QueuesModule } from '#platform/queues/queues.module';
import { RateLimits } from './access/rate-limits.ts';
import { Uploads } from './http/files.ts';
import { ENV, LOG, PASSWORD_COST, type Parts, RATE_RUN_WAIT_MS, STOPPING, STRIPE } from './tokens.ts';

/**
 * Resources opened once at start-up for every module: configuration, log, database, queues, Stripe, rate limits, virus
 * scanner.
 */
@Module({})
export class ResourcesModule {
  static register(parts: Parts): DynamicModule {
    const { env, stripe, log, database, rateLimits, queueConnection, rateRunWaitMs, passwordCost, stopping } = parts;
    return {
      module: ResourcesModule,
      global: true,
      imports: [
        QueuesModule.register(queueConnection, (error) =>
          log.warn({ kind: error.name }, 'a queue lost its connection; it reconnects'),
        ),
      ],
      providers: [
        { provide: ENV, useValue: env },
        { provide: STRIPE, useValue: stripe },
        { provide: LOG, useValue: log },
        { provide: STOPPING, useValue: stopping },
        { provide: RATE_RUN_WAIT_MS, useValue: rateRunWaitMs ?? 20_000 },
        { provide: PASSWORD_COST, useValue: passwordCost ?? defaultPasswordCost },
        { provide: Database, useValue: database },
        { provide: RateLimits, useValue: rateLimits },
        Uploads,
      ],
      exports: [ENV, STRIPE, LOG, STOPPING, RATE_RUN_WAIT_MS, PASSWORD_COST, Database, RateLimits, Uploads],
    };
  }
}
