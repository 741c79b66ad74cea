import { Controller, Inject } from '@nestjs/common';
import { Failure } from '#core/contracts/failures';
import { endpoints } from '#core/contracts/http/endpoints';
import type { PaymentConfig } from '#core/contracts/http/payments';
import type { Quote } from '#core/transfers/quote';
import { openPayment, type PaymentRequest } from '#domain/payments/create-payment';
import { CardPayments, isHeld } from '#domain/payments/payment-intents';
import { ratesInForce, toQuoteView } from '#domain/rates/quotes';
import { RateEntry } from '#domain/rates/rate.entity';
import { Transfer } from '#domain/transfers/transfer.entity';
import { viewOf } from '#domain/transfers/transfer-view';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database, type EntityManager } from '#platform/database/database';
import { addJob } from '#platform/outbox/outbox';
import { RateLimited } from '../access/rate-limit.guard.ts';
import { idempotencyKeyOf } from '../http/idempotency-key.ts';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { ENV } from '../tokens.ts';

/** The sender's side of a card payment. */
@Controller()
export class PaymentsController {
  constructor(
    private readonly database: Database,
    private readonly cards: CardPayments,
    @Inject(ENV) private readonly env: ApiConfiguration,
  ) {}

  @Serve(endpoints.paymentConfig)
  async config(): Promise<PaymentConfig> {
    const { publishableKey, scriptUrl } = this.env.stripe;
    return { publishableKey, scriptUrl: scriptUrl ?? null, mode: this.env.mode };
  }

  @Serve(endpoints.createPaymentIntent)
  @RateLimited('paymentsOpenedPerPerson')
  create(@Call() { body, person, request }: CallOf<typeof endpoints.createPaymentIntent>) {
    return this.#open(person.user.id, body, request);
  }

  @Serve(endpoints.createDemoPayment)
  @RateLimited('paymentsOpenedPerPerson')
  createDemo(@Call() { body, person, request }: CallOf<typeof endpoints.createDemoPayment>) {
    return this.#open(person.user.id, body, request);
  }

  @Serve(endpoints.paymentStatus)
  @RateLimited('paymentReadsPerPerson')
  async status(@Call() { params, person }: CallOf<typeof endpoints.paymentStatus>) {
    await findPaid(this.database.fork(), person.user.id, params.paymentIntentId);
    const intent = await this.cards.read(params.paymentIntentId);
    return { status: isHeld(intent) ? 'succeeded' : intent.status, providerStatus: intent.status };
  }

  @Serve(endpoints.confirmTransaction)
  @RateLimited('paymentReadsPerPerson')
  async confirm(@Call() { body, person }: CallOf<typeof endpoints.confirmTransaction>) {
    const { id } = await findPaid(this.database.fork(), person.user.id, body.paymentIntentId);
    if (!isHeld(await this.cards.read(body.paymentIntentId))) throw new Failure('payment_not_completed');
    await this.database.transaction(async (em) => addJob(em, 'sync-payment', { transferId: id }));
    const em = this.database.fork();
    const transaction = await viewOf(em, await em.findOneOrFail(Transfer, { id }));
    return { success: true as const, message: 'Pago recibido', transaction };
  }

  async #open(userId: string, wish: PaymentRequest, request: CallOf<typeof endpoints.createPaymentIntent>['request']) {
    const idempotencyKey = idempotencyKeyOf(request);
    const at = new Date();
    const transfer = await this.database.transaction((em) =>
      openPayment(em, this.env, { userId, request: wish, idempotencyKey, at }),
    );
    // Only after the commit: Stripe must never know a payment that our books do not.
    const prepared = await this.cards.prepare(transfer);
    return {
      ...prepared,
      transferId: transfer.id,
      quote: await bindingQuote(this.database.fork(), this.env, transfer),
    };
  }
}

/** The sender's transfer behind a payment. @throws Failure `not_found`, also for another person's. */
async function findPaid(em: EntityManager, userId: string, paymentIntentId: string): Promise<Transfer> {
  const transfer = await em.findOne(Transfer, { paymentIntentId, userId });
  if (!transfer) throw new Failure('not_found');
  return transfer;
}

/** The offer frozen with a transfer, the same whenever it is asked for. */
async function bindingQuote(em: EntityManager, env: ApiConfiguration, transfer: Transfer) {
  const { currency, rate } = transfer;
  const rates = await ratesInForce(em, env);
  const entry = await em.findOne(RateEntry, { currency, rate }, { orderBy: { id: 'desc' } });
  const context = {
    // A rate derived from another currency has no entry of its own.
    rateUpdatedAt: entry?.createdAt ?? rates[currency].since,
    eurUsd: rates.eurUsd,
    estimatedDelivery: transfer.estimatedDelivery,
  };
  const quote: Quote = { ...transfer, markupBasisPoints: transfer.markupBasisPoints ?? null };
  return { ...toQuoteView(quote, context), expiresAt: transfer.quoteExpiresAt.toISOString() };
}
