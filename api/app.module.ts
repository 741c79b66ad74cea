import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, DiscoveryModule } from '@nestjs/core';
import { TerminusModule } from '@nestjs/terminus';
import { Database } from '#platform/database/database';
import { AccessGuard } from './access/access.guard.ts';
import { Sessions } from './access/sessions.ts';
import { AdminPeopleController } from './admin/admin-people.controller.ts';
import { AdminRatesController } from './admin/admin-rates.controller.ts';
import { AdminTransfersController } from './admin/admin-transfers.controller.ts';
import { defaultAttemptLimits } from './auth/attempt-limits.ts';
import { Attempts } from './auth/attempts.ts';
import { AuthController } from './auth/auth.controller.ts';
import { PasswordHashes } from './auth/password-hashes.ts';
import { ContractInterceptor } from './contract/contract.interceptor.ts';
import { ContractCoverage } from './contract/coverage.ts';
import { FailureFilter } from './contract/failure.filter.ts';
import { CryptoController } from './crypto/crypto.controller.ts';
import { OnrampSessions } from './crypto/onramp-sessions.ts';
import { HealthController } from './health/health.controller.ts';
import { HelpController } from './help/help.controller.ts';
import { LiveGateway } from './live/live.gateway.ts';
import { ATTEMPT_LIMITS, ENV, LOG, type Parts, QUEUES, RATE_RUN_WAIT_MS, STRIPE } from './parts.ts';
import { CardPayments } from './payments/card-payments.ts';
import { PaymentsController } from './payments/payments.controller.ts';
import { StripeWebhookController } from './payments/stripe-webhook.controller.ts';
import { RateAlertsController } from './rate-alerts/rate-alerts.controller.ts';
import { ComparisonController } from './rates/comparison.controller.ts';
import { RateBoardController } from './rates/rate-board.controller.ts';
import { RateSourcesController } from './rates/rate-sources.controller.ts';
import { RatesController } from './rates/rates.controller.ts';
import { ReceiptsController } from './receipts/receipts.controller.ts';
import { RecipientsController } from './recipients/recipients.controller.ts';
import { TransfersController } from './transfers/transfers.controller.ts';

@Module({})
class ApiModule {}

/** The street door: every controller behind one guard, one contract and one way of failing. */
export function apiModule(parts: Parts): DynamicModule {
  return {
    module: ApiModule,
    imports: [DiscoveryModule, TerminusModule.forRoot({ logger: false, errorLogStyle: 'json' })],
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
      { provide: QUEUES, useValue: parts.queues },
      { provide: ATTEMPT_LIMITS, useValue: parts.attemptLimits ?? defaultAttemptLimits },
      { provide: RATE_RUN_WAIT_MS, useValue: parts.rateRunWaitMs ?? 20_000 },
      { provide: Database, useValue: parts.database },
      { provide: APP_GUARD, useClass: AccessGuard },
      { provide: APP_INTERCEPTOR, useClass: ContractInterceptor },
      { provide: APP_FILTER, useClass: FailureFilter },
      ContractCoverage,
      Sessions,
      Attempts,
      PasswordHashes,
      CardPayments,
      OnrampSessions,
      LiveGateway,
    ],
  };
}
