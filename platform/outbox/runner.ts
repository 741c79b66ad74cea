import { runForRequest } from '../request-id.ts';

/** Work on rows that say themselves when they are due. */
export interface RunnerWork<Item> {
  /** Most items under way at the same time. */
  readonly width: number;
  /** Takes items that are due, by a commit of its own, so that nobody else takes them meanwhile. */
  take(limit: number): Promise<readonly Item[]>;
  /** Carries one out and writes down what came of it. Never throws: a failure is a reason to attempt it again later. */
  attempt(item: Item): Promise<void>;
  /** The id of the request that led to it, where that is known. */
  requestId(item: Item): string | null | undefined;
}

/**
 * Carries out what is due, several items at a time: a slow one holds up no other. It takes more as soon as half of its room is free, as long
 * as there was more than it had room for.
 */
export class Runner<Item> {
  readonly #work: RunnerWork<Item>;
  readonly #running = new Set<Promise<void>>();
  #taking: Promise<void> | undefined;
  #wanted = false;
  /** Whether more may be due than there was room for. */
  #more = false;
  #stopped = false;

  constructor(work: RunnerWork<Item>) {
    this.#work = work;
  }

  /** Begins as many attempts as there is room for; the rest follows as soon as there is. Resolves when they have begun. */
  take(): Promise<void> {
    this.#wanted = true;
    this.#taking ??= this.#takeWanted().finally(() => {
      this.#taking = undefined;
    });
    return this.#taking;
  }

  /** Begins nothing more but what is being taken, and resolves when all attempts have ended. */
  stop(): Promise<void> {
    this.#stopped = true;
    return this.idle();
  }

  /** Resolves when no attempt is under way. */
  async idle(): Promise<void> {
    while (this.#taking || this.#running.size > 0) await Promise.all([this.#taking, ...this.#running]);
  }

  async #takeWanted(): Promise<void> {
    while (this.#wanted) {
      this.#wanted = false;
      const limit = this.#work.width - this.#running.size;
      this.#more = true;
      if (limit <= 0) return;
      const taken = await this.#work.take(limit);
      this.#more = taken.length === limit;
      for (const one of taken) this.#begin(one);
    }
  }

  #begin(item: Item): void {
    const attempt = () => this.#work.attempt(item);
    const running = runForRequest(this.#work.requestId(item), attempt).finally(() => {
      this.#running.delete(running);
      if (this.#more && !this.#stopped && this.#running.size <= this.#work.width / 2) void this.take().catch(() => {});
    });
    this.#running.add(running);
  }
}
