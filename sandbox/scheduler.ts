/** One timer for all due work. It is woken after each change instead of polling. */
import type { Clock } from './clock.ts';

/** Something with due work. `nextDue` is in sandbox milliseconds, null when nothing waits. */
export interface DueWork {
  nextDue(): number | null;
  runDue(): void;
}

/** setTimeout overflows after about 24 days; waking every hour stays far below. */
const MAX_TIMER_MS = 3_600_000;

export class Scheduler {
  readonly #clock: Clock;
  readonly #works: DueWork[];
  readonly #failed: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(clock: Clock, works: DueWork[], failed: (error: unknown) => void) {
    this.#clock = clock;
    this.#works = works;
    this.#failed = failed;
  }

  /** Runs due work soon. Cheap: call it after every change that may have created some. */
  wake(): void {
    this.#tickIn(0);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #tickIn(ms: number): void {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tick(), ms);
  }

  #tick(): void {
    let next = MAX_TIMER_MS;
    try {
      for (const work of this.#works) work.runDue();
      const due = this.#works.map((work) => work.nextDue()).filter((at) => at !== null);
      if (due.length > 0) next = Math.min(next, Math.max(0, Math.min(...due) - this.#clock.millis()));
    } catch (error) {
      this.#failed(error);
      next = 1000;
    }
    this.#tickIn(next);
  }
}
