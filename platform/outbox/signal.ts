import { type JobData, type JobName, jobs } from '#core/contracts/jobs';
import type { Logger } from '../logging.ts';
import type { Queues } from '../queues/queues.ts';

/** A job that carries nothing: it says that rows are due, and its handler takes all that are. */
export type SignalName = {
  [Name in JobName]: Record<string, never> extends JobData<Name> ? Name : never;
}[JobName];

/** Pause between two signals of a process (ms), so that many changes at once cost one job. */
const pauseMs = 25;
/** Signals of so long (ms) are one job: where nobody takes them, they do not pile up. One that came while it ran is kept. */
const windowMs = 5_000;

/**
 * Tells a queue that rows are due which were committed before, for rows that need no outbox row because they say themselves whether
 * they are done. A signal may get lost with its process or queue: a sweep has to look for such rows.
 */
export class Signal {
  readonly #queues: Queues;
  readonly #name: SignalName;
  readonly #log: Logger;
  #wanted = false;
  #sending: Promise<void> | undefined;

  constructor(queues: Queues, name: SignalName, log: Logger) {
    this.#queues = queues;
    this.#name = name;
    this.#log = log;
  }

  /** Signals at once, or after the pause if it just did. */
  send(): void {
    this.#wanted = true;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
      if (this.#wanted) this.send();
    });
  }

  /** Resolves when nothing is left to send. */
  async stop(): Promise<void> {
    while (this.#sending) await this.#sending;
  }

  async #sendAll(): Promise<void> {
    while (this.#wanted) {
      this.#wanted = false;
      const id = `${this.#name}-${Math.floor(Date.now() / windowMs)}`;
      try {
        await this.#queues[jobs[this.#name].queue].add(
          this.#name,
          {},
          {
            deduplication: { id, keepLastIfActive: true },
            // Whatever comes later takes the same rows.
            attempts: 3,
            removeOnComplete: true,
          },
        );
      } catch (error) {
        this.#log.warn({ err: error, job: this.#name }, 'a signal could not be given; the sweep finds its rows');
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
