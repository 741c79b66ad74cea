/** A merchant's webhook endpoint for tests: verifies signatures with the real SDK and records events. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';

export interface Received {
  event: Stripe.Event;
  headers: Record<string, string | string[] | undefined>;
  /** performance.now() of arrival. */
  at: number;
}

export class WebhookReceiver {
  readonly received: Received[] = [];
  /** Number of requests with an invalid signature. */
  refused = 0;
  /** Status the endpoint responds; anything but 2xx is a failed delivery. */
  status = 200;
  attempts = 0;
  /** The `stripe-signature` of every attempt, accepted or not. */
  readonly signatures: string[] = [];
  readonly #secrets: string[];
  readonly #waiting = new Set<() => void>();
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      this.attempts += 1;
      this.signatures.push(String(request.headers['stripe-signature']));
      response.writeHead(this.status).end();
      if (this.status < 300) this.#take(Buffer.concat(chunks), request.headers);
      for (const check of this.#waiting) check();
    });
  });
  url = '';

  constructor(...secrets: string[]) {
    this.#secrets = secrets.length > 0 ? secrets : ['whsec_sandbox'];
  }

  async open(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/webhook`;
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  trust(secret: string): void {
    this.#secrets.push(secret);
  }

  get types(): string[] {
    return this.received.map(({ event }) => event.type);
  }

  /** Resolves when `done` is true after a request; rejects after `timeoutMs`. */
  until(done: (receiver: this) => boolean, timeoutMs = 8000): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = () => {
        if (!done(this)) return;
        clearTimeout(timer);
        this.#waiting.delete(check);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(check);
        reject(new Error(`Still waiting; arrived: ${this.types.join(', ')}; attempts: ${this.attempts}`));
      }, timeoutMs);
      this.#waiting.add(check);
      check();
    });
  }

  #take(body: Buffer, headers: Received['headers']): void {
    const signature = String(headers['stripe-signature']);
    for (const secret of this.#secrets) {
      try {
        const event = Stripe.webhooks.constructEvent(body, signature, secret);
        this.received.push({ event, headers, at: performance.now() });
        return;
      } catch {
        // The next secret may match.
      }
    }
    this.refused += 1;
  }
}
