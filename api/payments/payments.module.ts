import { Module } from '@nestjs/common';
import type { Stripe } from 'stripe';
import { CardPayments } from '#domain/payments/payment-intents';
import { Database } from '#platform/database/database';
import type { Logger } from '#platform/logging';
import { LOG, STRIPE } from '../tokens.ts';
import { PaymentsController } from './payments.controller.ts';
import { StripeWebhookController } from './stripe-webhook.controller.ts';

@Module({
  controllers: [PaymentsController, StripeWebhookController],
  providers: [
    {
      provide: CardPayments,
      inject: [Database, STRIPE, LOG],
      useFactory: (database: Database, stripe: Stripe, log: Logger) => new CardPayments(database, stripe, log),
    },
  ],
})
export class PaymentsModule {}
