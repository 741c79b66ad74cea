/** Starts the Stripe simulator alone, for tests of code that calls Stripe. */
import { pino } from 'pino';
import Stripe from 'stripe';
import type { z } from 'zod';
import { type ContextOptions, internalCall } from '../context.ts';
import { type accountChangeSchema, setAccountMode } from '../stripe/account-mode.ts';
import { addStripeDifference, stripeDifferenceSchema } from '../stripe/balance-differences.ts';
import { type DeliveryMode, deliveryModeSchema, setDeliveryMode } from '../stripe/delivery-modes.ts';
import type { Decision } from '../stripe/dispute-object.ts';
import { decideDispute, openDispute } from '../stripe/disputes.ts';
import { expireHold } from '../stripe/holds.ts';
import { answerChallenge, type ChallengeOutcome } from '../stripe/payment-attempts.ts';
import { coverRefunds, failRefund } from '../stripe/refund-outcomes.ts';
import { type StripeOptions, StripeSimulator } from '../stripe/simulator.ts';
import { TestSimulator } from './test-simulator.ts';

const WEBHOOK_SECRET = 'whsec_sandbox';

/**
 * The real SDK pointed at a simulator. It repeats a call only once, when its connection was closed (faults `drop`,
 * `do_then_drop`).
 */
export function stripeFor(url: string, key = 'sk_test_sandbox', config: Partial<Stripe.StripeConfig> = {}): Stripe {
  const { hostname, port } = new URL(url);
  return new Stripe(key, {
    ...{ host: hostname, port, protocol: 'http', telemetry: false, timeout: 10_000, maxNetworkRetries: 0 },
    ...config,
  });
}

export type StripeTestOptions = Pick<ContextOptions, 'asyncDelayMs' | 'beginAt'> & Pick<StripeOptions, 'webhookUrl'>;

export class TestStripe extends TestSimulator {
  readonly #simulator: StripeSimulator;
  #sdk: Stripe | undefined;

  private constructor(options: StripeTestOptions) {
    super({ asyncDelayMs: 0, ...options });
    this.#simulator = new StripeSimulator(
      this.context,
      { ...options, webhookSecret: WEBHOOK_SECRET },
      pino({ level: 'silent' }),
    );
  }

  static async start(options: StripeTestOptions): Promise<TestStripe> {
    const stripe = new TestStripe(options);
    await stripe.serve('/v1', stripe.#simulator.router);
    stripe.#simulator.start();
    return stripe;
  }

  /** The SDK with the secret key. */
  get sdk(): Stripe {
    this.#sdk ??= stripeFor(this.origin);
    return this.#sdk;
  }

  /** The product's variables for this Stripe. */
  get env() {
    const { secret, publishable } = this.#simulator.keys;
    return {
      STRIPE_API_URL: this.origin,
      STRIPE_SECRET_KEY: secret,
      STRIPE_PUBLISHABLE_KEY: publishable,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    };
  }

  /** Waits until no task and no delivery is due or in flight. Throws after `timeoutMs`. */
  async idle(timeoutMs = 8000): Promise<void> {
    if (!(await this.#simulator.idle(timeoutMs))) throw new Error('The Stripe simulator is still busy');
  }

  /** Events of a type about a payment intent or its charge, newest first. */
  eventsOf(intentId: string, type: string): Stripe.Event[] {
    // Reading every event as JSON takes ten times as long as looking for the text first.
    const rows = this.context.storage.all(
      `SELECT body FROM objects WHERE kind = 'event' AND instr(body, ?) > 0 AND json_extract(body, '$.type') = ?
         AND ? IN (json_extract(body, '$.data.object.id'), json_extract(body, '$.data.object.payment_intent'))
       ORDER BY seq DESC`,
      intentId,
      type,
      intentId,
    );
    return rows.map(({ body }) => JSON.parse(String(body)));
  }

  /** Voids the authorization of an intent as the card network does after seven days. Does nothing if it is not held. */
  expireHold(intentId: string): void {
    const { storage } = this.context;
    const charge = storage.find('payment_intent', intentId)?.latest_charge;
    if (typeof charge === 'string') storage.transaction(() => expireHold(internalCall(this.context), charge));
    this.changed();
  }

  /** Opens a dispute, an inquiry or a prevented dispute about a charged intent. Throws when nothing of it is charged. */
  openDispute(intentId: string, options: Parameters<typeof openDispute>[2] = {}): Stripe.Dispute {
    const { storage } = this.context;
    const charge = storage.find('charge', String(storage.find('payment_intent', intentId)?.latest_charge));
    if (!charge?.captured) throw new Error('nothing of it is charged');
    const dispute = storage.transaction(() => openDispute(internalCall(this.context), charge, options));
    this.changed();
    return dispute;
  }

  /** Has a balance transaction differ from what happened. */
  differ(difference: z.input<typeof stripeDifferenceSchema>): void {
    const parsed = stripeDifferenceSchema.parse(difference);
    const changed = this.context.storage.transaction(() => addStripeDifference(this.context, parsed));
    if (!changed) throw new Error('the payment has no such movement');
  }

  /** Decides a dispute as the cardholder's bank does. */
  decideDispute(disputeId: string, decision: Decision): void {
    this.context.storage.transaction(() => decideDispute(internalCall(this.context), disputeId, decision));
    this.changed();
  }

  /** Configures the account until a reset; omitted fields stay. */
  setAccount(change: z.infer<typeof accountChangeSchema>): void {
    const { storage } = this.context;
    storage.transaction(() => coverRefunds(this.context, setAccountMode(this.context, change)));
    this.changed();
  }

  /** A refund fails, pending or succeeded. */
  failRefund(refundId: string, reason = 'insufficient_funds'): void {
    this.context.storage.transaction(() => failRefund(internalCall(this.context), refundId, reason));
    this.changed();
  }

  /** The bytes of an uploaded file. */
  fileContent(fileId: string): Buffer {
    return Buffer.from(this.context.storage.internals('file', fileId).data, 'base64');
  }

  /** Answers the 3-D Secure challenge of an intent; returns the intent's status. Throws when none is open. */
  answerChallenge(intentId: string, outcome: ChallengeOutcome): string {
    const { storage } = this.context;
    const intent = storage.transaction(() => answerChallenge(internalCall(this.context), intentId, outcome));
    this.changed();
    return intent.status;
  }

  /** Sets how webhooks are delivered from now on; omitted fields get defaults. */
  setDeliveryMode(mode: Partial<DeliveryMode>): void {
    setDeliveryMode(this.context, deliveryModeSchema.parse(mode));
  }

  protected override changed(): void {
    this.#simulator.changed();
  }

  protected override prepare(): void {
    this.#simulator.registerEndpoint();
  }

  protected override stop(): Promise<void> {
    return this.#simulator.close();
  }
}

/** Starts a Stripe simulator on a free port; nothing asynchronous in it takes time unless `asyncDelayMs` says so. */
export function startStripe(options: StripeTestOptions = {}): Promise<TestStripe> {
  return TestStripe.start(options);
}
