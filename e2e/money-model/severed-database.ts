import pg from 'pg';
import { inject } from 'vitest';
import type {} from '../../infra/testing/provided.ts';

/**
 * Cuts a process off from its database, as its death does: uncommitted changes are lost, and it can write nothing any
 * more. It connects as a separate role with the rights of the product's.
 */
export class SeveredDatabase {
  readonly #role: string;

  private constructor(role: string) {
    this.#role = role;
  }

  /** Creates the role. Call `drop` after the database was dropped. */
  static async of(database: string): Promise<SeveredDatabase> {
    const severed = new SeveredDatabase(`model_worker_${database}`);
    await run(`create role ${severed.#role} login password 'runtime' in role chasqui_runtime`);
    return severed;
  }

  /** The connection string of the process that can be cut off. */
  urlFor(databaseUrl: string): string {
    const url = new URL(databaseUrl);
    url.username = this.#role;
    return url.href;
  }

  /** Ends all its connections; it cannot open new ones until it is reconnected. */
  disconnect(): Promise<void> {
    return run(
      `alter role ${this.#role} nologin`,
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${this.#role}'`,
    );
  }

  reconnect(): Promise<void> {
    return run(`alter role ${this.#role} login`);
  }

  drop(): Promise<void> {
    return run(`drop role ${this.#role}`);
  }
}

async function run(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: inject('services').databaseUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
