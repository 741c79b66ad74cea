import type { Stripe } from 'stripe';
import type { Database } from '#platform/database/database';
import { insertStripeEvents } from './stripe-event.repository.ts';

/** Most events that one statement stores. */
const batchMost = 100;

interface Waiting {
  readonly event: Stripe.Event;
  readonly stored: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Most statements under way at the same time. With one alone, callers in step would take turns: the first of them has a statement for itself,
 * and all others wait for its commit and then for their own.
 */
const statementsMost = 2;

/**
 * Stores verified events as they come: the first at once, and those that arrive meanwhile together, so that many callers at once cost few
 * commits. A caller is answered only after the commit that has its event.
 */
export class StripeEventStore {
  readonly #database: Database;
  readonly #onStored: () => void;
  readonly #waiting: Waiting[] = [];
  #statements = 0;
  #gathering = false;

  /** `onStored` is called after each commit. */
  constructor(database: Database, onStored: () => void) {
    this.#database = database;
    this.#onStored = onStored;
  }

  /** Resolves once the event is committed; the same event again is stored once. @throws when the database refuses. */
  store(event: Stripe.Event): Promise<void> {
    return new Promise((stored, failed) => {
      this.#waiting.push({ event, stored, failed });
      if (this.#statements === 0) void this.#storeAll();
      else this.#gather();
    });
  }

  /** Another statement takes what comes with this turn of the event loop. */
  #gather(): void {
    if (this.#gathering || this.#statements >= statementsMost) return;
    this.#gathering = true;
    setImmediate(() => {
      this.#gathering = false;
      if (this.#statements < statementsMost) void this.#storeAll();
    });
  }

  async #storeAll(): Promise<void> {
    this.#statements += 1;
    while (this.#waiting.length > 0) await this.#storeBatch(this.#waiting.splice(0, batchMost));
    this.#statements -= 1;
  }

  async #storeBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      await insertStripeEvents(
        await this.#database.pool(),
        batch.map(({ event }) => event),
        new Date(),
      );
      for (const { stored } of batch) stored();
      this.#onStored();
    } catch (error) {
      for (const { failed } of batch) failed(error);
    }
  }
}
