import { shiftDate } from '../shift-date.ts';

/** The clock of everything in this process: api, worker, simulators and the test. It runs as the machine's, and jumps forward. */
export class ModelClock {
  readonly #machineNow = Date.now;
  readonly #restore: () => void;
  #aheadMs = 0;

  constructor() {
    this.#restore = shiftDate(() => this.#machineNow() + this.#aheadMs);
  }

  now(): number {
    return this.#machineNow() + this.#aheadMs;
  }

  jump(ms: number): void {
    this.#aheadMs += ms;
  }

  close(): void {
    this.#restore();
  }
}
