import { minuteMs } from '#core/time/time';
import { type Database, type EntityManager, runSql } from '#platform/database/database';

const readNewestIds = `select format('%s %s %s', (select max(id) from rate), (select max(id) from rate_observation),
    (select max(id) from bank_rate)) as version`;

/** Maximum delay in noticing a row that commits after one with a larger id, in ms. */
const keptMs = minuteMs;

interface Kept {
  readonly version: string;
  readonly at: number;
  readonly value: Promise<unknown>;
}

/**
 * Results of reads about rates, cached in this process until a rate or an observation is added. For widely displayed
 * data; payments read in their transaction. Every read first checks for additions, so no value is older than its
 * request: one small query, shared by concurrent reads.
 */
export class CachedReads {
  readonly #database: Database;
  /** Has no identity map: the rows of its one statement are not entities. */
  readonly #reader: EntityManager;
  readonly #kept = new Map<string, Kept>();
  #running: Promise<string> | null = null;
  #next: Promise<string> | null = null;

  constructor(database: Database) {
    this.#database = database;
    this.#reader = database.fork();
  }

  /** The result of `load`, computed once for all callers with the same key. A key always has the same `load`. */
  async read<Value>(key: string, load: (em: EntityManager) => Promise<Value>): Promise<Value> {
    const version = await this.#version();
    const now = Date.now();
    const kept = this.#kept.get(key);
    if (kept?.version === version && now - kept.at < keptMs) return kept.value as Promise<Value>;
    const value = load(this.#database.fork());
    const entry = { version, at: now, value };
    this.#kept.set(key, entry);
    // A failed load is not cached: this read fails, the next one loads again.
    value.catch(() => {
      if (this.#kept.get(key) === entry) this.#kept.delete(key);
    });
    return value;
  }

  /** The version at the time of the call or later: a query already running may have missed the newest row. */
  #version(): Promise<string> {
    if (!this.#running) return this.#start();
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = null;
        return this.#start();
      });
    return this.#next;
  }

  #start(): Promise<string> {
    const running = this.#newestIds().finally(() => {
      if (this.#running === running) this.#running = null;
    });
    this.#running = running;
    return running;
  }

  /** Rates and observations of all kinds are append-only, so their largest ids show whether anything is new. */
  async #newestIds(): Promise<string> {
    const [row] = await runSql<{ version: string }>(this.#reader, readNewestIds, []);
    return (row as { version: string }).version;
  }
}
