/**
 * Sends webhook deliveries to their endpoints. A delivery stays pending in storage until the endpoint's response is
 * recorded, so one that was in flight when the process died is sent again after the restart: at least once, as Stripe
 * does.
 */
import { createHmac } from 'node:crypto';
import type { Logger } from 'pino';
import type { SandboxContext } from '../context.ts';
import { type Delivery, deliveryFrom, findDelivery } from './deliveries.ts';
import { deliveryModeOf } from './delivery-modes.ts';

const IN_FLIGHT_MAX = 32;
const ATTEMPT_TIMEOUT_MS = 10_000;

/**
 * The `stripe-signature` header for these bytes. In real time, not sandbox time: receivers compare it with their clock.
 */
export function signatureHeader(payload: string, secret: string, atSeconds = Math.floor(Date.now() / 1000)): string {
  const signature = createHmac('sha256', secret).update(`${atSeconds}.${payload}`).digest('hex');
  return `t=${atSeconds},v1=${signature}`;
}

interface Outcome {
  status: number | null;
  error: string | null;
}

export class WebhookDispatcher {
  readonly #context: SandboxContext;
  readonly #log: Logger;
  readonly #changed: () => void;
  readonly #inFlight = new Map<string, Promise<void>>();
  readonly #stop = new AbortController();

  /** @param changed called after each recorded response. */
  constructor(context: SandboxContext, log: Logger, changed: () => void) {
    this.#context = context;
    this.#log = log;
    this.#changed = changed;
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  nextDue(): number | null {
    // At the limit nothing more can start; each recorded response wakes the scheduler again.
    if (this.#inFlight.size >= IN_FLIGHT_MAX) return null;
    const next = this.#due(Number.MAX_SAFE_INTEGER, 1)[0];
    return next?.nextAt ?? null;
  }

  /** Starts every delivery that is due, oldest first. */
  runDue(): void {
    if (this.#stop.signal.aborted) return;
    const free = IN_FLIGHT_MAX - this.#inFlight.size;
    for (const delivery of this.#due(this.#context.clock.millis(), free)) {
      const delivering = this.#deliver(delivery).finally(() => {
        this.#inFlight.delete(delivery.id);
        this.#changed();
      });
      this.#inFlight.set(delivery.id, delivering);
    }
  }

  /** Waits `graceMs` for deliveries in flight, then aborts them; they stay pending for the next start. */
  async close(graceMs: number): Promise<void> {
    const grace = setTimeout(() => this.#stop.abort(), graceMs);
    await Promise.allSettled(this.#inFlight.values());
    clearTimeout(grace);
    this.#stop.abort();
  }

  #due(at: number, limit: number): Delivery[] {
    const busy = [...this.#inFlight.keys()];
    const sql = `SELECT * FROM deliveries WHERE state = 'pending' AND next_at <= ?
      AND id NOT IN (SELECT value FROM json_each(?)) ORDER BY next_at, seq LIMIT ?`;
    return this.#context.storage.all(sql, at, JSON.stringify(busy), limit).map(deliveryFrom);
  }

  async #deliver(delivery: Delivery): Promise<void> {
    const { storage } = this.#context;
    const endpoint = storage.find('webhook_endpoint', delivery.endpoint);
    if (endpoint?.status !== 'enabled') {
      return this.#record(delivery.id, { status: null, error: 'The endpoint is deleted or disabled' }, false);
    }
    const { secret } = storage.internals('webhook_endpoint', endpoint.id);
    // Events never change once stored, so every attempt sends the same bytes.
    const payload = storage.text('event', delivery.event);
    const outcome = await this.#post(endpoint.url, payload, secret);
    if (outcome) this.#record(delivery.id, outcome, true);
  }

  async #post(url: string, payload: string, secret: string): Promise<Outcome | undefined> {
    // Not AbortSignal.timeout, which fires long after most answers came and makes an error each time.
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new DOMException('no answer', 'TimeoutError')), ATTEMPT_TIMEOUT_MS);
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
          accept: '*/*; q=0.5, application/xml',
          'cache-control': 'no-cache',
          'stripe-signature': signatureHeader(payload, secret),
        },
        body: payload,
        // Stripe treats a redirect as a failed delivery.
        redirect: 'manual',
        signal: AbortSignal.any([this.#stop.signal, late.signal]),
      });
      await response.body?.cancel();
      return { status: response.status, error: null };
    } catch (error) {
      if (this.#stop.signal.aborted) return undefined;
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
      return { status: null, error: code ?? (cause instanceof Error ? cause.name : 'unknown') };
    } finally {
      clearTimeout(timer);
    }
  }

  #record(id: string, outcome: Outcome, mayRetry: boolean): void {
    const { storage, clock } = this.#context;
    storage.transaction(() => {
      const delivery = findDelivery(this.#context, id);
      // Deleted by a reset meanwhile.
      if (!delivery) return;
      const arrived = outcome.status !== null && outcome.status >= 200 && outcome.status < 300;
      const pause = deliveryModeOf(this.#context, delivery.endpoint).retryDelaysMs[delivery.attempts];
      const retry = !arrived && mayRetry && pause !== undefined;
      const state = arrived ? 'delivered' : retry ? 'pending' : 'failed';
      const now = clock.millis();
      storage.run(
        `UPDATE deliveries SET state = ?, attempts = attempts + 1, next_at = ?, last_status = ?, last_error = ?,
         delivered_at = ? WHERE id = ?`,
        ...[state, retry ? now + pause : null, outcome.status, outcome.error, arrived ? now : null, id],
      );
      if (!arrived) this.#log.warn({ delivery: id, event: delivery.event, ...outcome, state }, 'webhook not accepted');
    });
  }
}
