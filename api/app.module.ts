import { type DynamicModule, Module } from '@nestjs/common';
import { AccessModule } from './access/access.module.ts';
import { AccountsModule } from './accounts/accounts.module.ts';
import { CryptoModule } from './crypto/crypto.module.ts';
import { HealthModule } from './health/health.module.ts';
import { HelpModule } from './help/help.module.ts';
import { ContractModule } from './http/contract.module.ts';
import { LiveModule } from './live/live.module.ts';
import { OperationsModule } from './operations/operations.module.ts';
import { OutboxModule } from './outbox/outbox.module.ts';
import { PaymentsModule } from './payments/payments.module.ts';
import { RatesModule } from './rates/rates.module.ts';
import { RecipientsModule } from './recipients/recipients.module.ts';
import { ReconciliationModule } from './reconciliation/reconciliation.module.ts';
import { ResourcesModule } from './resources.module.ts';
import type { Parts } from './tokens.ts';
import { TransfersModule } from './transfers/transfers.module.ts';
import { WebModule } from './web/web.module.ts';

/** The api: one module per noun of the business, and those that every call passes through. */
@Module({})
export class AppModule {
  static register(parts: Parts): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ResourcesModule.register(parts),
        AccessModule,
        ContractModule,
        LiveModule,
        OutboxModule,
        // Routes are matched in this order, so the most frequent ones come first.
        RatesModule,
        AccountsModule,
        RecipientsModule,
        TransfersModule,
        PaymentsModule,
        OperationsModule,
        ReconciliationModule,
        CryptoModule,
        HelpModule,
        WebModule,
        HealthModule,
      ],
    };
  }
}
