import { randomInt } from 'node:crypto';
import { Client } from 'pg';
import type { Logger } from '../logging.ts';

/** The first number of the advisory locks by which processes show that they live. */
const lockClass = 71;

/** Pause before a lost connection is opened again, in ms. */
const pauseMs = 1_000;

/**
 * Shows other processes that this one lives, by a lock of its session: what a process has taken is free again as soon as PostgreSQL notices
 * that it is gone, and not when a lease ends. A process that loses the connection counts as gone until it has another one.
 */
export class Presence {
  /** The number of the process, of its own at every start. */
  readonly number = randomInt(1, 2 ** 31);
  readonly #connectionString: string;
  readonly #log: Logger;
  #client: Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  private constructor(connectionString: string, log: Logger) {
    this.#connectionString = connectionString;
    this.#log = log;
  }

  /** Resolves when others can see it. @throws when the database cannot be reached. */
  static async open(connectionString: string, log: Logger): Promise<Presence> {
    const presence = new Presence(connectionString, log);
    await presence.#show();
    return presence;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#client?.end();
  }

  async #show(): Promise<void> {
    const client = new Client({ connectionString: this.#connectionString, keepAlive: true });
    let lost = false;
    const again = (error?: Error) => {
      if (lost || this.#closed) return;
      lost = true;
      this.#log.warn({ err: error }, 'the connection that shows this process was lost; it is opened again');
      this.#timer = setTimeout(() => this.#show().catch(again), pauseMs);
    };
    client.on('error', again);
    await client.connect();
    await client.query('select pg_advisory_lock($1, $2)', [lockClass, this.number]);
    client.on('end', () => again());
    this.#client = client;
  }
}

/** SQL: whether the process with the number in a column is gone. */
export function isGoneSql(column: string): string {
  return `${column} not in (
    select objid::bigint from pg_locks where locktype = 'advisory' and classid = ${lockClass} and objsubid = 2
      and database = (select oid from pg_database where datname = current_database())
  )`;
}
