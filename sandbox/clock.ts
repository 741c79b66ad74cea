/**
 * Sandbox time: real time plus an offset. Tests advance it, so that a hold expires without waiting seven days; it may
 * begin in the past.
 */
import type { Storage } from './storage.ts';

export class Clock {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** How far ahead of real time the sandbox is, in seconds. */
  get offsetSeconds(): number {
    return this.#storage.setting('clock_offset_seconds', 0);
  }

  /** Milliseconds since the epoch, sandbox time. */
  millis(): number {
    return Date.now() + this.offsetSeconds * 1000;
  }

  /** Whole seconds since the epoch, sandbox time: what Stripe's `created` fields carry. */
  seconds(): number {
    return Math.floor(this.millis() / 1000);
  }

  begin(at: Date): void {
    this.#storage.setSetting('clock_offset_seconds', Math.round((at.getTime() - Date.now()) / 1000));
  }

  advance(seconds: number): void {
    this.#storage.setSetting('clock_offset_seconds', this.offsetSeconds + seconds);
  }
}
