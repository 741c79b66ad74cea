import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** Interval for closing idle connections during shutdown, in ms. */
const sweepMs = 50;

/**
 * Shuts down an HTTP server without losing requests. First it announces the stop: `stopping` makes it not ready, and
 * each response asks to close its connection, while load balancers still send requests. Then it accepts nothing new and
 * answers the requests in progress.
 */
export class Closing {
  readonly #server: Server;
  readonly #stopping: AbortController;
  readonly #open = new Set<ServerResponse>();
  #answered: () => void = () => {};

  /** Aborts `stopping` as its first step. */
  constructor(server: Server, stopping: AbortController) {
    this.#server = server;
    this.#stopping = stopping;
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      if (stopping.signal.aborted) response.shouldKeepAlive = false;
      // A live connection that polls is answered when there is news; it is ended with the others.
      if (request.url?.startsWith('/socket.io/')) return;
      this.#open.add(response);
      response.once('close', () => {
        this.#open.delete(response);
        if (this.#open.size === 0) this.#answered();
      });
    });
  }

  /** Resolves when the last answer was given; `drainMs` is how long requests are still taken. Live connections stay open. */
  async run(drainMs: number): Promise<void> {
    this.#stopping.abort();
    for (const response of this.#open) response.shouldKeepAlive = false;
    await delay(drainMs);
    this.#server.close();
    const sweep = setInterval(() => this.#server.closeIdleConnections(), sweepMs);
    try {
      while (this.#open.size > 0) {
        await new Promise<void>((resolve) => {
          this.#answered = resolve;
        });
      }
    } finally {
      clearInterval(sweep);
      this.#server.closeIdleConnections();
    }
  }
}
