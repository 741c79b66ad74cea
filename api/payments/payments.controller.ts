import { Controller, Inject } from '@nestjs/common';
import { endpoints } from '#core/contracts/http/endpoints';
import type { PaymentConfig } from '#core/contracts/http/payments';
import { confirmPayment, readPaymentStatus } from '#domain/payments/confirm-payment';
import { createPayment, type PaymentRequest, resumePayment } from '#domain/payments/create-payment';
import { CardPayments } from '#domain/payments/payment-intents';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database } from '#platform/database/database';
import { RateLimited } from '../access/rate-limit.guard.ts';
import { lastProof, type Person } from '../access/sessions.ts';
import { idempotencyKeyOf } from '../http/input.ts';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { ENV } from '../tokens.ts';

/** The sender's side of a card payment. */
@Controller()
export class PaymentsController {
  readonly #services: { database: Database; cards: CardPayments };

  constructor(
    database: Database,
    cards: CardPayments,
    @Inject(ENV) private readonly env: ApiConfiguration,
  ) {
    this.#services = { database, cards };
  }

  @Serve(endpoints.paymentConfig)
  async config(): Promise<PaymentConfig> {
    const { publishableKey, scriptUrl } = this.env.stripe;
    return { publishableKey, scriptUrl: scriptUrl ?? null, mode: this.env.mode };
  }

  @Serve(endpoints.createPaymentIntent)
  @RateLimited('paymentsOpenedPerPerson')
  create(@Call() { body, person, request }: CallOf<typeof endpoints.createPaymentIntent>) {
    return this.#create(person, body, idempotencyKeyOf(request));
  }

  @Serve(endpoints.createDemoPayment)
  @RateLimited('paymentsOpenedPerPerson')
  createDemo(@Call() { body, person, request }: CallOf<typeof endpoints.createDemoPayment>) {
    return this.#create(person, body, idempotencyKeyOf(request));
  }

  @Serve(endpoints.resumePayment)
  @RateLimited('paymentsOpenedPerPerson')
  resume(@Call() { params, person }: CallOf<typeof endpoints.resumePayment>) {
    const own = { userId: person.user.id, transferId: params.id, at: new Date() };
    return resumePayment(this.#services, this.env, own);
  }

  @Serve(endpoints.paymentStatus)
  @RateLimited('paymentReadsPerPerson')
  status(@Call() { params, person }: CallOf<typeof endpoints.paymentStatus>) {
    return readPaymentStatus(this.#services, { userId: person.user.id, paymentIntentId: params.paymentIntentId });
  }

  @Serve(endpoints.confirmTransaction)
  @RateLimited('paymentReadsPerPerson')
  async confirm(@Call() { body, person }: CallOf<typeof endpoints.confirmTransaction>) {
    const own = { userId: person.user.id, paymentIntentId: body.paymentIntentId };
    const transaction = await confirmPayment(this.#services, own);
    return { success: true as const, message: 'Pago recibido', transaction };
  }

  #create(person: Person, request: PaymentRequest, idempotencyKey: string | null) {
    const by = { userId: person.user.id, provenAt: lastProof(person) };
    return createPayment(this.#services, this.env, { ...by, request, idempotencyKey, at: new Date() });
  }
}
