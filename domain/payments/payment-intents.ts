import { setTimeout } from 'node:timers/promises';
import { Stripe } from 'stripe';
import { Failure } from '#core/contracts/failures';
import type { Database } from '#platform/database/database';
import type { Logger } from '#platform/logging';
import { findOpenOperation } from '../provider-calls/operation.repository.ts';
import { attachPaymentIntent } from '../transfers/move-transfer.ts';
import { rereadTransfer, type Transfer } from '../transfers/transfer.repository.ts';

/** Statuses of a payment intent whose amount is held, or already charged: the sender's part is done. */
const heldStatuses: ReadonlySet<string> = new Set(['requires_capture', 'succeeded']);

/** How long (ms) a payment that was found to be held counts as held, so that the browser's next request does not read it again. */
const heldForMs = 10_000;

/** What the api asks Stripe: prepare a payment, and how one stands. It never charges or voids anything: the worker does. */
export class CardPayments {
  /** Until when (ms) payments count as held, by their ids. */
  readonly #heldUntil = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly stripe: Stripe,
    private readonly log: Logger,
    /** Pause (ms) before a call that met Stripe's rate limit is repeated. */
    private readonly pauseMs = 1000,
  ) {}

  /**
   * The payment intent of an opened transfer, made at the first call and the same one ever after. @throws Failure
   * `payment_not_started` when Stripe does not answer, or the transfer cannot be paid any more; an unpaid one just expires.
   */
  async prepare(transfer: Transfer): Promise<{ paymentIntentId: string; clientSecret: string }> {
    if (transfer.paymentIntentId) return this.#prepared(transfer.paymentIntentId);
    // Stripe forgets keys after a day, and the quote never lives that long: two intents for one transfer cannot be.
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
    // It may have run out while Stripe answered. Without its secret the intent cannot be paid.
    if (attached.state !== 'awaiting_payment') throw new Failure('payment_not_started');
    return secretOf(intent);
  }

  /** Whether the card of a transfer was not asked yet. @throws Failure `payment_not_started` when Stripe does not answer. */
  async isUntouched({ paymentIntentId }: Transfer): Promise<boolean> {
    if (!paymentIntentId) return true;
    const { status } = await this.#ask('payment_not_started', () =>
      this.stripe.paymentIntents.retrieve(paymentIntentId),
    );
    return status === 'requires_payment_method';
  }

  /** Stripe's status of a payment now. @throws Failure `payment_provider_unavailable`. */
  async readStatus(paymentIntentId: string): Promise<Stripe.PaymentIntent.Status> {
    const { status } = await this.#ask('payment_provider_unavailable', () =>
      this.stripe.paymentIntents.retrieve(paymentIntentId),
    );
    if (heldStatuses.has(status)) this.#noteHeld(paymentIntentId);
    return status;
  }

  /** Whether the sender's part of a payment is done, now or a few seconds ago. @throws Failure `payment_provider_unavailable`. */
  async isHeld(paymentIntentId: string): Promise<boolean> {
    if ((this.#heldUntil.get(paymentIntentId) ?? 0) > performance.now()) return true;
    return heldStatuses.has(await this.readStatus(paymentIntentId));
  }

  #noteHeld(paymentIntentId: string): void {
    const now = performance.now();
    // In the order in which they were noted, which is that of their ends.
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
      // Nothing is stored under the key of a request that met the limit, and the SDK does not repeat it.
      return await call().catch(async (error) => {
        if (!(error instanceof Stripe.errors.StripeRateLimitError)) throw error;
        await setTimeout(this.pauseMs);
        return call();
      });
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeError)) throw error;
      const { type, code, statusCode, requestId } = error;
      this.log.warn({ stripe: { type, code, statusCode, requestId } }, 'Stripe refused or did not answer');
      throw new Failure(failure);
    }
  }
}

/** The secret goes to the sender's browser only: it is neither stored nor logged. */
function secretOf(intent: Stripe.PaymentIntent): { paymentIntentId: string; clientSecret: string } {
  if (!intent.client_secret) throw new Failure('payment_not_started');
  return { paymentIntentId: intent.id, clientSecret: intent.client_secret };
}
