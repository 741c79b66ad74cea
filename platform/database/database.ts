import { Migrator } from '@mikro-orm/migrations';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { dropLostConnections } from './lost-connections.ts';
import { migrations } from './migrations/all.ts';
import { CryptoOrder } from './schema/crypto.ts';
import { Mail, OutboxRow, StripeEvent } from './schema/events.ts';
import { IdempotencyKey, PasswordRecovery, PasswordRecoveryLink, Recipient, Session, User } from './schema/people.ts';
import { BankRate, RateAlert, RateChange, RateEntry, RateObservation, RatePause, RateRun } from './schema/rates.ts';
import { Posting, Transfer, TransferStep } from './schema/transfers.ts';

export type { EntityManager };

/** The database door: short-lived entity managers, transactions, and word to the relay when one has written an outbox row. */
export class Database {
  readonly orm: MikroORM;
  #onCommit: () => void = () => {};

  private constructor(orm: MikroORM) {
    this.orm = orm;
  }

  /** Opens the pool (nothing is created or migrated). @throws when the database cannot be reached. */
  static async open(url: string, options: { poolMax?: number } = {}): Promise<Database> {
    const orm = await MikroORM.init({
      clientUrl: url,
      entities: [
        User,
        Session,
        PasswordRecovery,
        PasswordRecoveryLink,
        Recipient,
        IdempotencyKey,
        RateEntry,
        RateRun,
        RateObservation,
        RateChange,
        RatePause,
        BankRate,
        RateAlert,
        Mail,
        Transfer,
        TransferStep,
        Posting,
        CryptoOrder,
        OutboxRow,
        StripeEvent,
      ],
      extensions: [Migrator],
      pool: { min: 0, max: options.poolMax ?? 10 },
      // Nobody waits longer (ms) for a database that does not answer.
      driverOptions: { connectionTimeoutMillis: 10_000, keepAlive: true, onPoolCreated: dropLostConnections },
      // A mistyped name must not become an empty database.
      ensureDatabase: false,
      forceUtcTimezone: true,
      migrations: {
        migrationsList: migrations,
        tableName: 'migration',
        snapshot: false,
        silent: true,
        disableForeignKeys: false,
      },
      debug: false,
    });
    return new Database(orm);
  }

  /** A fresh entity manager for reading. */
  read(): EntityManager {
    return this.orm.em.fork();
  }

  /** Runs `work` in one transaction on a fresh entity manager; afterwards the relay of this process looks at the outbox. */
  async transaction<Result>(work: (em: EntityManager) => Promise<Result>): Promise<Result> {
    const result = await this.orm.em.fork().transactional(work);
    this.#onCommit();
    return result;
  }

  /** Who is told after each commit (the relay). */
  onCommit(listener: () => void): void {
    this.#onCommit = listener;
  }

  async close(): Promise<void> {
    await this.orm.close(true);
  }
}
