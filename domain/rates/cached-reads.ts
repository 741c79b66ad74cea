import { minuteMs } from '#core/time/time';
import { type Database, type EntityManager, runSql } from '#platform/database/database';

const readNewestIds = `select format('%s %s %s', (select max(id) from rate), (select max(id) from rate_observation),
    (select max(id) from bank_rate)) as version`;

/** Should a row ever commit after one with a larger id, it is seen this much later at most. */
const keptMs = minuteMs;

interface Kept {
  readonly version: string;
  readonly at: number;
  readonly value: Promise<unknown>;
}

/**
 * Results of reads about rates, kept in this process for as long as no rate and no observation is added. For what is shown to
 * many; what is paid with is read in its own transaction. Every read first asks whether anything was added, so no value
 * is older than its request: one small query, which reads that arrive at the same time share.
 */
export class CachedReads {
  readonly #database: Database;
  /** Holds nothing: the rows of its one statement are no entities. */
  readonly #reader: EntityManager;
  readonly #kept = new Map<string, Kept>();
  #running: Promise<string> | null = null;
  #next: Promise<string> | null = null;

  constructor(database: Database) {
    this.#database = database;
    this.#reader = database.fork();
  }

  /** What `load` reads, computed once for everybody who asks with the same key. One key always has the same `load`. */
  async read<Value>(key: string, load: (em: EntityManager) => Promise<Value>): Promise<Value> {
    const version = await this.#version();
    const now = Date.now();
    const kept = this.#kept.get(key);
    if (kept?.version === version && now - kept.at < keptMs) return kept.value as Promise<Value>;
    const value = load(this.#database.fork());
    const entry = { version, at: now, value };
    this.#kept.set(key, entry);
    // A failed load is not kept: this read fails, the next one loads again.
    value.catch(() => {
      if (this.#kept.get(key) === entry) this.#kept.delete(key);
    });
    return value;
  }

  /** As it is at the time of the call or later: a query that is already under way may have missed the newest row. */
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

  /** Rates and observations of all kinds are append-only: their largest ids tell whether there is anything new. */
  async #newestIds(): Promise<string> {
    const [row] = await runSql<{ version: string }>(this.#reader, readNewestIds, []);
    return (row as { version: string }).version;
  }
}
