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
 * Stores verified events as they come: those that arrive while a statement is under way share the next one, so that many callers at
 * once cost few commits. A caller is answered only after the commit that has its event.
 */
export class StripeEventStore {
  readonly #database: Database;
  readonly #onStored: () => void;
  readonly #waiting: Waiting[] = [];
  #storing = false;

  /** `onStored` is called after each commit. */
  constructor(database: Database, onStored: () => void) {
    this.#database = database;
    this.#onStored = onStored;
  }

  /** Resolves once the event is committed; the same event again is stored once. @throws when the database refuses. */
  store(event: Stripe.Event): Promise<void> {
    return new Promise((stored, failed) => {
      this.#waiting.push({ event, stored, failed });
      if (!this.#storing) void this.#storeAll();
    });
  }

  async #storeAll(): Promise<void> {
    this.#storing = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, batchMost);
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
    this.#storing = false;
  }
}
