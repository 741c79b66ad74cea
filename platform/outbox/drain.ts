import type { Logger } from '../logging.ts';
import { runForNobody } from '../request-id.ts';

/** Takes rows that are due. */
export interface DrainWork {
  /** Whether there are any, by one cheap statement. */
  isDue(): Promise<boolean>;
  /** Takes all that nobody else is at. It runs more than once at the same time. */
  take(): Promise<void>;
  /** Resolves when what was taken is done, where `take` only begins it. */
  end?(): Promise<void>;
}

const usual = {
  /** How often rows are looked for whose signal got lost, in ms. */
  idleMs: 10_000,
  /** Pause after a failure, in ms. */
  failureMs: 1_000,
};

/** A signal that comes while rows are taken begins another round beside it, up to so many. */
const roundsMost = 2;

/** Takes rows as soon as it is woken by a signal (signal.ts), and looks by itself for those whose signal got lost. */
export class Drain {
  readonly #work: DrainWork;
  readonly #log: Logger;
  readonly #times: typeof usual;
  readonly #rounds = new Set<Promise<void>>();
  #wanted = false;
  #timer: NodeJS.Timeout | undefined;
  #gathering: NodeJS.Timeout | undefined;
  #started = false;

  constructor(work: DrainWork, log: Logger, times: Partial<typeof usual> = {}) {
    this.#work = work;
    this.#log = log;
    this.#times = { ...usual, ...times };
  }

  /** Takes what is due already, and whatever it is woken for from now on. */
  start(): void {
    this.#started = true;
    this.#look();
  }

  /** Rows are due. */
  wake(): void {
    if (!this.#started) return;
    if (this.#rounds.size < roundsMost) this.#begin(() => this.#work.take());
    else this.#wanted = true;
  }

  /** Rows are due that nobody waits for: they are taken after `ms`, together with those that become due until then. */
  wakeLater(ms: number): void {
    if (!this.#started) return;
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.wake();
    }, ms);
  }

  /** Begins nothing more, and resolves when what is under way has ended. */
  async stop(): Promise<void> {
    this.#started = false;
    clearTimeout(this.#timer);
    clearTimeout(this.#gathering);
    await Promise.all(this.#rounds);
    await this.#work.end?.();
  }

  #look(): void {
    this.#begin(async () => {
      if (await this.#work.isDue()) await this.#work.take();
    });
  }

  #begin(round: () => Promise<void>): void {
    // Whatever woke it, what is due is of others too.
    runForNobody(() => this.#run(round));
  }

  #run(round: () => Promise<void>): void {
    let failed = false;
    const running = round()
      .catch((error: unknown) => {
        failed = true;
        this.#log.warn({ err: error }, 'rows that are due could not be taken; it tries again');
      })
      .finally(() => {
        this.#rounds.delete(running);
        if (!this.#started) return;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#look(), failed ? this.#times.failureMs : this.#times.idleMs);
        if (!this.#wanted) return;
        this.#wanted = false;
        this.wake();
      });
    this.#rounds.add(running);
  }
}
