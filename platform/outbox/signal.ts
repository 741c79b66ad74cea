/** Pause between two signals (ms), so that many changes at once cost few. */
const pauseMs = 10;

/**
 * Tells other processes that rows are due which were committed before, for rows that need no outbox row because they say themselves
 * whether they are done. A signal may get lost: the process that takes such rows has to look for them now and then (drain.ts).
 */
export class Signal {
  readonly #give: () => void;
  #pause: NodeJS.Timeout | undefined;
  #wanted = false;

  constructor(give: () => void) {
    this.#give = give;
  }

  /** Signals at once, or after the pause if it just did. */
  send(): void {
    this.#wanted = true;
    if (!this.#pause) this.#giveWanted();
  }

  /** Gives what is left to give. */
  stop(): void {
    clearTimeout(this.#pause);
    if (this.#wanted) this.#give();
    this.#wanted = false;
  }

  #giveWanted(): void {
    this.#pause = undefined;
    if (!this.#wanted) return;
    this.#wanted = false;
    this.#give();
    this.#pause = setTimeout(() => this.#giveWanted(), pauseMs);
  }
}
