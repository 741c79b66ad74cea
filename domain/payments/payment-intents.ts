import { setTimeout } from 'node:timers/promises';
import { Stripe } from 'stripe';
import { Failure } from '#core/contracts/failures';
import type { Database } from '#platform/database/database';
import type { Logger } from '#platform/logging';
import { findOpenOperation } from '../provider-calls/operation.repository.ts';
import { attachPaymentIntent } from '../transfers/move-transfer.ts';
import { rereadTransfer, type Transfer } from '../transfers/transfer.repository.ts';

/** Statuses of a payment intent that is authorized or already charged: the sender's part is done. */
const heldStatuses: ReadonlySet<string> = new Set(['requires_capture', 'succeeded']);

/**
 * How long (ms) a payment found to be authorized is remembered, so that the browser's next request does not read it
 * again.
 */
const heldForMs = 10_000;

/** The api's calls to Stripe: preparing payments and reading their status. Only the worker charges and voids. */
export class CardPayments {
  /** Until when (ms) payments count as authorized, by id. */
  readonly #heldUntil = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly stripe: Stripe,
    private readonly log: Logger,
    /** Pause (ms) before a call that hit Stripe's rate limit is retried. */
    private readonly pauseMs = 1000,
  ) {}

  /**
   * The payment intent of an opened transfer, created at the first call and the same from then on.
   * @throws Failure `payment_not_started` when Stripe does not answer, or the transfer can no longer be paid; an unpaid
   * one then expires.
   */
  async prepare(transfer: Transfer): Promise<{ paymentIntentId: string; clientSecret: string }> {
    if (transfer.paymentIntentId) return this.#prepared(transfer.paymentIntentId);
    // Stripe forgets keys after a day, and no quote lives that long, so a transfer never gets two intents.
    if (transfer.quoteExpiresAt <= new Date()) throw new Failure('payment_not_started');
    const authorization = await findOpenOperation(this.database.fork(), transfer.id, 'authorization');
    if (!authorization) throw new Failure('payment_not_started');
    const intent = await this.#ask('payment_not_started', () =>
      this.stripe.paymentIntents.create(
        {
          amount: Number(transfer.amountMinor),
          currency: transfer.currency.toLowerCase(),
          capture_method: 'manual',
          allowed_payment_method_types: ['card'],
          metadata: { transfer_id: transfer.id },
        },
        { idempotencyKey: authorization.idempotencyKey },
      ),
    );
    const attached = await this.database.transaction(async (em) => {
      await attachPaymentIntent(em, transfer.id, intent.id, new Date());
      return rereadTransfer(em, transfer.id);
    });
    // It may have expired while Stripe answered. Without its secret the intent cannot be paid.
    if (attached.state !== 'awaiting_payment') throw new Failure('payment_not_started');
    return secretOf(intent);
  }

  /**
   * Whether no card was submitted for a transfer yet.
   * @throws Failure `payment_not_started` when Stripe does not answer.
   */
  async isStillUnpaid({ paymentIntentId }: Transfer): Promise<boolean> {
    if (!paymentIntentId) return true;
    const { status } = await this.#ask('payment_not_started', () =>
      this.stripe.paymentIntents.retrieve(paymentIntentId),
    );
    return status === 'requires_payment_method';
  }

  /** Stripe's current status of a payment. @throws Failure `payment_provider_unavailable`. */
  async readStatus(paymentIntentId: string): Promise<Stripe.PaymentIntent.Status> {
    const { status } = await this.#ask('payment_provider_unavailable', () =>
      this.stripe.paymentIntents.retrieve(paymentIntentId),
    );
    if (heldStatuses.has(status)) this.#noteHeld(paymentIntentId);
    return status;
  }

  /**
   * Whether the sender's part of a payment is done, now or a few seconds ago.
   * @throws Failure `payment_provider_unavailable`.
   */
  async isHeld(paymentIntentId: string): Promise<boolean> {
    if ((this.#heldUntil.get(paymentIntentId) ?? 0) > performance.now()) return true;
    return heldStatuses.has(await this.readStatus(paymentIntentId));
  }

  #noteHeld(paymentIntentId: string): void {
    const now = performance.now();
    // In insertion order, which is the order of their ends.
    for (const [id, until] of this.#heldUntil) {
      if (until > now) break;
      this.#heldUntil.delete(id);
    }
    this.#heldUntil.set(paymentIntentId, now + heldForMs);
  }

  async #prepared(paymentIntentId: string) {
    return secretOf(await this.#ask('payment_not_started', () => this.stripe.paymentIntents.retrieve(paymentIntentId)));
  }

  async #ask<Answer>(failure: 'payment_not_started' | 'payment_provider_unavailable', call: () => Promise<Answer>) {
    try {
      // Stripe stores nothing under the key of a rate-limited request, and the SDK does not retry it.
      return await call().catch(async (error) => {
        if (!(error instanceof Stripe.errors.StripeRateLimitError)) throw error;
        await setTimeout(this.pauseMs);
        return call();
      });
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeError)) throw error;
      const { type, code, statusCode, requestId } = error;
      this.log.warn({ stripe: { type, code, statusCode, requestId } }, 'Stripe rejected the request or did not answer');
      throw new Failure(failure);
    }
  }
}

/** The secret is only given to the sender's browser, and neither stored nor logged. */
function secretOf(intent: Stripe.PaymentIntent): { paymentIntentId: string; clientSecret: string } {
  if (!intent.client_secret) throw new Failure('payment_not_started');
  return { paymentIntentId: intent.id, clientSecret: intent.client_secret };
}
