import {
  type DynamicModule,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, DiscoveryModule } from '@nestjs/core';
import { TerminusModule } from '@nestjs/terminus';
import { OnrampSessions } from '#domain/crypto/prepare-onramp-session';
import { createPush } from '#domain/notifications/live-push';
import { CardPayments } from '#domain/payments/payment-intents';
import { Database } from '#platform/database/database';
import { Relay } from '#platform/outbox/relay';
import type { Queues } from '#platform/queues/queues';
import { QUEUES, QueuesModule } from '#platform/queues/queues.module';
import { AccessGuard } from './access/access.guard.ts';
import { RateLimitGuard } from './access/rate-limit.guard.ts';
import { RateLimits } from './access/rate-limits.ts';
import { Sessions } from './access/sessions.ts';
import { AdminPeopleController } from './accounts/admin-accounts.controller.ts';
import { AuthController } from './accounts/auth.controller.ts';
import { PasswordHashes } from './accounts/password-hashes.ts';
import { SignInLimits } from './accounts/sign-in-limits.ts';
import { CryptoController } from './crypto/crypto.controller.ts';
import { HealthController } from './health/health.controller.ts';
import { HelpController } from './help/help.controller.ts';
import { ContractInterceptor } from './http/contract.interceptor.ts';
import { ContractCoverage } from './http/coverage.ts';
import { FailureFilter } from './http/failure.filter.ts';
import { LiveGateway } from './live/live.gateway.ts';
import { PaymentsController } from './payments/payments.controller.ts';
import { StripeWebhookController } from './payments/stripe-webhook.controller.ts';
import { AdminRatesController } from './rates/admin-rates.controller.ts';
import { ComparisonController } from './rates/comparison.controller.ts';
import { RateAlertsController } from './rates/rate-alerts.controller.ts';
import { RateBoardController } from './rates/rate-board.controller.ts';
import { RateSourcesController } from './rates/rate-sources.controller.ts';
import { RatesController } from './rates/rates.controller.ts';
import { RecipientsController } from './recipients/recipients.controller.ts';
import { ENV, LOG, type Parts, RATE_RUN_WAIT_MS, STRIPE } from './tokens.ts';
import { AdminTransfersController } from './transfers/admin-transfers.controller.ts';
import { ReceiptsController } from './transfers/receipts.controller.ts';
import { TransfersController } from './transfers/transfers.controller.ts';

/** Runs the relay from the first request until the HTTP server has answered the last one, before the queues are closed. */
@Injectable()
class RelayLifecycle implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(private readonly relay: Relay) {}

  onApplicationBootstrap(): void {
    this.relay.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.relay.stop();
  }
}

@Module({})
class ApiModule {}

/** Every controller behind one guard, one contract and one way of failing. */
export function apiModule(parts: Parts): DynamicModule {
  return {
    module: ApiModule,
    imports: [
      QueuesModule.register(parts.queueConnection, (error) =>
        parts.log.warn({ kind: error.name }, 'a queue lost its connection; it reconnects'),
      ),
      DiscoveryModule,
      TerminusModule.forRoot({ logger: false, errorLogStyle: 'json' }),
    ],
    controllers: [
      AuthController,
      RecipientsController,
      TransfersController,
      ReceiptsController,
      RatesController,
      RateBoardController,
      ComparisonController,
      RateAlertsController,
      PaymentsController,
      CryptoController,
      StripeWebhookController,
      AdminTransfersController,
      AdminRatesController,
      RateSourcesController,
      AdminPeopleController,
      HelpController,
      HealthController,
    ],
    providers: [
      { provide: ENV, useValue: parts.env },
      { provide: STRIPE, useValue: parts.stripe },
      { provide: LOG, useValue: parts.log },
      { provide: RATE_RUN_WAIT_MS, useValue: parts.rateRunWaitMs ?? 20_000 },
      { provide: Database, useValue: parts.database },
      { provide: RateLimits, useValue: parts.rateLimits },
      { provide: APP_GUARD, useClass: AccessGuard },
      // Behind the access guard: it has to know the person.
      { provide: APP_GUARD, useClass: RateLimitGuard },
      { provide: APP_INTERCEPTOR, useClass: ContractInterceptor },
      { provide: APP_FILTER, useClass: FailureFilter },
      ContractCoverage,
      Sessions,
      PasswordHashes,
      SignInLimits,
      {
        provide: CardPayments,
        useFactory: () => new CardPayments(parts.database, parts.stripe, parts.log),
      },
      {
        provide: OnrampSessions,
        useFactory: () => new OnrampSessions(parts.database, parts.stripe, parts.log),
      },
      LiveGateway,
      {
        provide: Relay,
        inject: [QUEUES, LiveGateway],
        useFactory: (queues: Queues, live: LiveGateway) =>
          new Relay(parts.database, queues, createPush(live.emit, parts.env.rates), parts.log),
      },
      RelayLifecycle,
    ],
  };
}
