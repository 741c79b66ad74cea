/** The Stripe simulator as one part: API routes, delayed tasks and webhook deliveries. */
import type { Router } from 'express';
import type { Logger } from 'pino';
import { internalCall, type SandboxContext } from '../context.ts';
import type { Task } from '../delayed-tasks.ts';
import { type DueWork, Scheduler } from '../scheduler.ts';
import type { ApiKeys } from '../server/api-keys.ts';
import { bookCharge } from './charges.ts';
import { decideByEvidence, decideDispute, openPlannedDispute } from './disputes.ts';
import { warnOfFraud } from './fraud-warnings.ts';
import { expireHold } from './holds.ts';
import { fulfilSession } from './onramp.ts';
import { arrivePayout } from './payouts.ts';
import { finishRefund } from './refund-outcomes.ts';
import { stripeRouter } from './routes.ts';
import { WebhookDispatcher } from './webhook-dispatcher.ts';
import { registerOwnEndpoint } from './webhook-endpoints.ts';

export interface StripeOptions {
  secretKey?: string;
  publishableKey?: string;
  webhookSecret?: string;
  /** Endpoint that gets every event; further ones are created through the API. */
  webhookUrl?: string;
}

const CLOSE_GRACE_MS = 2000;
const IDLE_POLL_MS = 10;

const PERFORM: Record<Task, (context: SandboxContext, ref: string) => void> = {
  expire_hold: (context, ref) => expireHold(internalCall(context), ref),
  book_charge: (context, ref) => bookCharge(internalCall(context), ref),
  finish_refund: (context, ref) => finishRefund(internalCall(context), ref),
  open_dispute: (context, ref) => openPlannedDispute(internalCall(context), ref),
  warn_of_fraud: (context, ref) => warnOfFraud(internalCall(context), ref),
  decide_dispute: (context, ref) => decideByEvidence(internalCall(context), ref),
  expire_dispute: (context, ref) => decideDispute(internalCall(context), ref, 'expired'),
  arrive_payout: (context, ref) => arrivePayout(internalCall(context), ref),
  fulfil_onramp: (context, ref) => fulfilSession(internalCall(context), ref),
};

export class StripeSimulator {
  readonly keys: ApiKeys;
  /** The routes of `/v1`. */
  readonly router: Router;
  readonly #context: SandboxContext;
  readonly #options: StripeOptions;
  readonly #dispatcher: WebhookDispatcher;
  readonly #work: DueWork[];
  readonly #scheduler: Scheduler;

  constructor(context: SandboxContext, options: StripeOptions, log: Logger) {
    this.#context = context;
    this.#options = options;
    this.keys = {
      secret: options.secretKey ?? 'sk_test_sandbox',
      publishable: options.publishableKey ?? 'pk_test_sandbox',
    };
    this.#dispatcher = new WebhookDispatcher(context, log, this.changed);
    const tasks: DueWork = {
      nextDue: () => context.tasks.nextDue(),
      runDue: () => context.tasks.runDue((task, ref) => PERFORM[task](context, ref)),
    };
    this.#work = [tasks, this.#dispatcher];
    this.#scheduler = new Scheduler(context.clock, this.#work, (error) => log.error({ err: error }, 'due work failed'));
    this.router = stripeRouter({ context, keys: this.keys, log, changed: this.changed });
    context.storage.transaction(() => this.registerEndpoint());
  }

  /** Starts tasks and deliveries. */
  start(): void {
    this.#scheduler.wake();
  }

  /** To be called when something may have become due. */
  readonly changed = (): void => this.#scheduler.wake();

  /** Registers the webhook endpoint of the options, also after a reset. Must run in a transaction. */
  registerEndpoint(): void {
    const { webhookUrl, webhookSecret = 'whsec_sandbox' } = this.#options;
    if (webhookUrl) registerOwnEndpoint(this.#context, webhookUrl, webhookSecret);
  }

  /** Resolves with true once no task and no delivery is due or in flight, with false after `timeoutMs`. */
  async idle(timeoutMs: number): Promise<boolean> {
    const end = performance.now() + timeoutMs;
    while (this.#isBusy()) {
      if (performance.now() >= end) return false;
      await new Promise((resolve) => setTimeout(resolve, IDLE_POLL_MS));
    }
    return true;
  }

  #isBusy(): boolean {
    const now = this.#context.clock.millis();
    return this.#dispatcher.inFlight > 0 || this.#work.some((work) => (work.nextDue() ?? now + 1) <= now);
  }

  /** Stops tasks and gives deliveries in flight a moment; the rest stays in storage. */
  async close(): Promise<void> {
    this.#scheduler.close();
    await this.#dispatcher.close(CLOSE_GRACE_MS);
  }
}
