import type { Provider } from '#core/operations/operation';
import type { JobContext } from '../job-context.ts';
import { type TakenOperation, takeDueOperations } from './due-operations.repository.ts';
import { attemptOperation } from './run-operation.ts';

/** Attempts at operations of one provider that run at the same time. */
const width = 16;

/**
 * Attempts the operations of a provider that are due, several at a time: a slow answer holds up no other attempt, and one provider never the
 * other. Operations are their own outbox rows: they are due until their row says otherwise.
 */
export class OperationRunner {
  readonly #context: JobContext;
  readonly #provider: Provider;
  readonly #running = new Set<Promise<void>>();
  #taking: Promise<void> | undefined;
  #wanted = false;
  /** Whether more may be due than there was room for. */
  #more = false;
  #stopped = false;

  constructor(context: JobContext, provider: Provider) {
    this.#context = context;
    this.#provider = provider;
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
      const limit = width - this.#running.size;
      this.#more = true;
      if (limit <= 0) return;
      const { database, now, presence } = this.#context;
      const request = { provider: this.#provider, now: now(), takenBy: presence, limit };
      const taken = await database.statement((em) => takeDueOperations(em, request));
      this.#more = taken.length === limit;
      this.#begin(taken);
    }
  }

  #begin(taken: readonly TakenOperation[]): void {
    for (const one of taken) {
      const running = attemptOperation(this.#context, one)
        .catch((error: unknown) => {
          // Our own database: its lease ends, and it is attempted again under the same key.
          this.#context.log.error(
            { err: error, operationId: one.operation.id },
            'an attempt could not be written down',
          );
        })
        .finally(() => {
          this.#running.delete(running);
          if (this.#more && !this.#stopped && this.#running.size <= width / 2) void this.take().catch(() => {});
        });
      this.#running.add(running);
    }
  }
}
