import { DriverException } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import { type EntityManager, type EntitySchema, type Kysely, MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { PersonalData } from '../personal-data.ts';
import { errorCodeOf } from './connection-problem.ts';
import { dropLostConnections } from './lost-connections.ts';
import { migrations } from './migrations/all.ts';
import { Replica, type ReplicaListener } from './replica.ts';

export type { EntityManager };

export interface DatabaseOptions {
  /** Every entity the process works with; the domain lists them (`domain/database.ts`). */
  readonly entities: readonly EntitySchema[];
  /** Most connections at once; 10 when absent. */
  readonly poolMax?: number;
  /** Encrypts the keys of personal data; absent in processes that read none. */
  readonly personalDataKeys?: readonly Buffer[];
  /** A standby for reads that cost much; none when absent. It need not be there from the start. */
  readonly replica?: { readonly url: string; readonly onChange: ReplicaListener } | undefined;
  /** For migrations, which may take as long as they need. */
  readonly withoutTimeouts?: boolean;
}

/**
 * How long an unused connection stays open, in ms. It outlasts the pauses between the periodic statements of an idle
 * process, because a new connection costs as much as many statements.
 */
export const idleConnectionMs = 60_000;

/**
 * How long PostgreSQL lets a statement run, wait for a lock, or a transaction do nothing, in ms. Without them one slow
 * query or one hanging process holds connections and row locks for as long as it likes.
 */
const timeouts = {
  statement_timeout: 30_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 60_000,
} as const;

/** PostgreSQL's code of a statement that was ended because it ran too long. */
const statementTimeout = '57014';

/**
 * Runs a statement with `$1` to `$n` in the transaction of `em`, or commits it separately without one. Flushes `em`
 * first. Returns the rows as the database has them. @throws DriverException
 */
export async function runSql<Row extends object>(
  em: EntityManager,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  await em.flush();
  const transaction: Kysely<unknown> | undefined = em.getTransactionContext();
  try {
    if (transaction) {
      const query = { kind: 'RawNode', sqlFragments: [], parameters: [] } as const;
      const compiled = { sql: text, parameters: values, query, queryId: { queryId: text } };
      return (await transaction.executeQuery<Row>(compiled)).rows;
    }
    const pool = await em.getConnection().getNativeClient();
    return (await pool.query<Row>(text, [...values])).rows;
  } catch (error) {
    throw em
      .getPlatform()
      .getExceptionConverter()
      .convertException(error as Error);
  }
}

const personalDataOfConfiguration = new WeakMap<object, PersonalData>();

/** What encrypts personal data in the database of an entity manager. */
export function personalDataOf(em: EntityManager): PersonalData {
  return personalDataOfConfiguration.get(em.config) as PersonalData;
}

/** The connection to PostgreSQL: short-lived entity managers, transactions, and a signal to the relay after each commit. */
export class Database {
  readonly orm: MikroORM;
  /** Encrypts personal data; processes that work with it read its keys when they start. */
  readonly personalData: PersonalData;
  readonly #replica: Replica | undefined;
  readonly #listeners: ((em: EntityManager) => void)[] = [];

  private constructor(
    orm: MikroORM,
    personalDataKeys: readonly Buffer[],
    replica?: { orm: MikroORM; onChange: ReplicaListener },
  ) {
    this.orm = orm;
    this.personalData = new PersonalData(personalDataKeys, () => this.fork());
    personalDataOfConfiguration.set(orm.config, this.personalData);
    if (!replica) return;
    personalDataOfConfiguration.set(replica.orm.config, this.personalData);
    this.#replica = new Replica(replica.orm, replica.onChange);
  }

  /** Opens the pool (nothing is created or migrated). @throws when the database cannot be reached. */
  static async open(url: string, options: DatabaseOptions): Promise<Database> {
    const orm = await Database.#connect(url, options, 10_000);
    const { replica } = options;
    return new Database(
      orm,
      options.personalDataKeys ?? [],
      // A short timeout: the primary is the fallback.
      replica && { orm: await Database.#connect(replica.url, options, 1_000), onChange: replica.onChange },
    );
  }

  /** `waitMs`: the longest wait for a server that does not answer. */
  static #connect(url: string, options: DatabaseOptions, waitMs: number): Promise<MikroORM> {
    return MikroORM.init({
      clientUrl: url,
      entities: [...options.entities],
      extensions: [Migrator],
      pool: { min: 0, max: options.poolMax ?? 10, idleTimeoutMillis: idleConnectionMs },
      driverOptions: {
        // From the URL alone the library takes only host, role and database: TLS would not be used.
        connectionString: url,
        connectionTimeoutMillis: waitMs,
        keepAlive: true,
        onPoolCreated: dropLostConnections,
        ...(options.withoutTimeouts ? {} : timeouts),
      },
      // A mistyped name must not become an empty database.
      ensureDatabase: false,
      forceUtcTimezone: true,
      migrations: {
        migrationsList: migrations,
        tableName: 'migration',
        snapshot: false,
        silent: true,
        disableForeignKeys: false,
        // Each migration separately: `create index concurrently` cannot run in a transaction.
        allOrNothing: false,
      },
      debug: false,
    });
  }

  /** A fresh entity manager outside of any transaction. */
  fork(): EntityManager {
    return this.orm.em.fork();
  }

  /**
   * An entity manager for reading a list, figures or an export: of the replica when there is one that has all that was committed before.
   * It must write nothing.
   */
  async reader(): Promise<EntityManager> {
    return (await this.#replica?.reader(this.fork())) ?? this.fork();
  }

  /** The same for reads that begin again on the database itself when the replica fails on the way. */
  async read<Result>(work: (em: EntityManager) => Promise<Result>): Promise<Result> {
    const em = await this.reader();
    try {
      return await work(em);
    } catch (error) {
      if (em.config === this.orm.em.config || !(error instanceof DriverException)) throw error;
      // What took too long there would take as long here.
      if (errorCodeOf(error) === statementTimeout) throw error;
      this.#replica?.rest(error.name);
      return work(this.fork());
    }
  }

  /** The pool all statements go through, for libraries that bring their own SQL. @throws when it cannot be reached. */
  pool(): Promise<Pool> {
    return this.orm.em.getConnection().getNativeClient();
  }

  /** Runs `work` in one transaction on a fresh entity manager; afterwards the relay of this process looks at the outbox. */
  async transaction<Result>(work: (em: EntityManager) => Promise<Result>): Promise<Result> {
    const [result, committed] = await this.orm.em.fork().transactional(async (em) => [await work(em), em] as const);
    this.#committed(committed);
    return result;
  }

  /** The same for work that is a single statement, which commits by itself. */
  async statement<Result>(work: (em: EntityManager) => Promise<Result>): Promise<Result> {
    const em = this.fork();
    const result = await work(em);
    this.#committed(em);
    return result;
  }

  /** Adds a listener that is called after each commit with its entity manager. */
  onCommit(listener: (em: EntityManager) => void): void {
    this.#listeners.push(listener);
  }

  #committed(em: EntityManager): void {
    for (const listener of this.#listeners) listener(em);
  }

  async close(): Promise<void> {
    await this.#replica?.close();
    await this.orm.close(true);
  }
}
