/**
 * Sends webhook deliveries to their endpoints. A delivery stays pending in storage until the endpoint's response is
 * recorded, so one that was in flight when the process died is sent again after the restart: at least once, as Stripe
 * does.
 */
import { createHmac } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
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
  #stopped = false;
  readonly #agents = { plain: new http.Agent({ keepAlive: true }), secure: new https.Agent({ keepAlive: true }) };

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
    if (this.#stopped) return;
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
    const end = () => {
      this.#stopped = true;
      for (const agent of Object.values(this.#agents)) agent.destroy();
    };
    const grace = setTimeout(end, graceMs);
    await Promise.allSettled(this.#inFlight.values());
    clearTimeout(grace);
    end();
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

  /** Resolves with undefined when the sandbox is closing. */
  async #post(url: string, payload: string, secret: string): Promise<Outcome | undefined> {
    try {
      return { status: await this.#answerTo(url, payload, secret), error: null };
    } catch (error) {
      if (this.#stopped) return undefined;
      const { code, name } = error as NodeJS.ErrnoException;
      return { status: null, error: typeof code === 'string' ? code : name };
    }
  }

  /**
   * The status of the answer; one that redirects is an answer like any other. By Node's own client, which costs half of what `fetch` does.
   */
  #answerTo(url: string, payload: string, secret: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const isSecure = url.startsWith('https:');
      const call = (isSecure ? https : http).request(url, {
        method: 'POST',
        agent: isSecure ? this.#agents.secure : this.#agents.plain,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(payload),
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
          accept: '*/*; q=0.5, application/xml',
          'cache-control': 'no-cache',
          'stripe-signature': signatureHeader(payload, secret),
        },
      });
      const timer = setTimeout(() => call.destroy(new DOMException('no answer', 'TimeoutError')), ATTEMPT_TIMEOUT_MS);
      call.on('close', () => clearTimeout(timer));
      call.on('response', (response) => {
        response.resume();
        response.on('error', reject);
        response.on('end', () => resolve(response.statusCode ?? 0));
      });
      call.on('error', (error: NodeJS.ErrnoException) => {
        // The endpoint closed a kept connection at the very moment it was used again.
        const unused = call.reusedSocket && error.code === 'ECONNRESET' && !this.#stopped;
        if (unused) this.#answerTo(url, payload, secret).then(resolve, reject);
        else reject(error);
      });
      call.end(payload);
    });
  }

  #record(id: string, outcome: Outcome, mayRetry: boolean): void {
    const { storage, clock } = this.#context;
    storage.transaction(() => {
      const delivery = findDelivery(this.#context, id);
      // Deleted by a reset in the meantime.
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
