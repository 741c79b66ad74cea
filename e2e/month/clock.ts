import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { laPazDay } from '#core/time/time';
import { root } from '../../infra/paths.ts';

/** The time of a product under test. It runs with the machine's clock, and jumps forward on request. */
export class VirtualClock {
  /** What makes a Node process live in this time: to be added to its environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly #directory = mkdtempSync(join(tmpdir(), 'chasqui-clock-'));
  readonly #file: number;
  readonly #follow: ((ms: number) => Promise<void>)[] = [];
  #aheadMs = 0;

  constructor(beginAt: Date) {
    const path = join(this.#directory, 'ahead');
    this.#file = openSync(path, 'w');
    this.#write(beginAt.getTime() - Date.now());
    const preload = pathToFileURL(join(root, 'e2e/month/shifted-date.ts')).href;
    this.environment = { NODE_OPTIONS: `--import=${preload}`, SHIFTED_DATE_FILE: path };
  }

  now(): Date {
    return new Date(Date.now() + this.#aheadMs);
  }

  /** The day it is in La Paz. */
  get day(): string {
    return laPazDay(this.now());
  }

  /** Registers a separate clock, which receives each jump in ms. */
  follow(pass: (ms: number) => Promise<void>): void {
    this.#follow.push(pass);
  }

  /** @throws RangeError for the past. */
  async jumpTo(at: Date): Promise<void> {
    const ms = at.getTime() - this.now().getTime();
    if (ms <= 0) throw new RangeError(`it is ${this.now().toISOString()}, past ${at.toISOString()} already`);
    this.#write(at.getTime() - Date.now());
    for (const pass of this.#follow) await pass(ms);
  }

  close(): void {
    closeSync(this.#file);
    rmSync(this.#directory, { recursive: true });
  }

  #write(aheadMs: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleBE(aheadMs);
    // Eight bytes at once: no process ever reads half of a number.
    writeSync(this.#file, bytes, 0, 8, 0);
    this.#aheadMs = aheadMs;
  }
}
