/**
 * The sandbox's state in one SQLite file. Every request is one transaction: a process killed at any moment leaves
 * either all of a request or nothing of it.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type Stripe from 'stripe';
import type { OnrampSession } from './stripe/onramp-session.ts';

/** Data stored with a Stripe object and never returned. It never contains a card number or CVC. */
export interface Internals {
  payment_intent: { returnUrl: string | null };
  charge: Record<string, never>;
  refund: Record<string, never>;
  dispute: Record<string, never>;
  early_fraud_warning: Record<string, never>;
  review: Record<string, never>;
  /** The file's bytes as base64. */
  file: { data: string };
  /** `behaviour` names a row of the test-card table; `setUp` says that 3-D Secure was passed for later use. */
  payment_method: { behaviour: string; setUp: boolean; virtual: boolean };
  customer: Record<string, never>;
  balance_transaction: Record<string, never>;
  payout: Record<string, never>;
  webhook_endpoint: { secret: string };
  event: Record<string, never>;
  onramp_session: Record<string, never>;
}

export interface Kinds {
  payment_intent: Stripe.PaymentIntent;
  charge: Stripe.Charge;
  refund: Stripe.Refund;
  dispute: Stripe.Dispute;
  early_fraud_warning: Stripe.Radar.EarlyFraudWarning;
  review: Stripe.Review;
  file: Stripe.File;
  payment_method: Stripe.PaymentMethod;
  customer: Stripe.Customer;
  balance_transaction: Stripe.BalanceTransaction;
  payout: Stripe.Payout;
  webhook_endpoint: Stripe.WebhookEndpoint;
  event: Stripe.Event;
  onramp_session: OnrampSession;
}
export type Kind = keyof Kinds;

export interface ListQuery {
  /** Top-level fields of the object that must have exactly these values. */
  equal?: Record<string, string | undefined>;
  /** The object's `type` must be one of these. */
  types?: string[];
  /** Extra condition on the row, in SQL; `o` is the row. */
  where?: string;
  created?: { gt?: number; gte?: number; lt?: number; lte?: number };
  limit: number;
  startingAfter?: string;
  endingBefore?: string;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS objects (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, id TEXT NOT NULL UNIQUE, created INTEGER NOT NULL,
    body TEXT NOT NULL, internals TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS objects_kind ON objects (kind, seq);
  CREATE INDEX IF NOT EXISTS objects_payment_intent ON objects (kind, json_extract(body, '$.payment_intent'), seq);
  CREATE INDEX IF NOT EXISTS objects_charge ON objects (kind, json_extract(body, '$.charge'), seq);
  CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS scheduled (
    id INTEGER PRIMARY KEY AUTOINCREMENT, due INTEGER NOT NULL, task TEXT NOT NULL, ref TEXT NOT NULL, UNIQUE (task, ref)
  );
  CREATE TABLE IF NOT EXISTS deliveries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, event_id TEXT NOT NULL, event_type TEXT NOT NULL,
    endpoint_id TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, next_at INTEGER,
    last_status INTEGER, last_error TEXT, created INTEGER NOT NULL, delivered_at INTEGER
  );
  CREATE INDEX IF NOT EXISTS deliveries_due ON deliveries (state, next_at);
  CREATE INDEX IF NOT EXISTS deliveries_event ON deliveries (event_id, endpoint_id);
  CREATE TABLE IF NOT EXISTS idempotency (
    key TEXT PRIMARY KEY, request TEXT NOT NULL, input TEXT NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL,
    created INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS payouts (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, external_id TEXT NOT NULL UNIQUE, idempotency_key TEXT NOT NULL UNIQUE,
    input TEXT NOT NULL, body TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS payout_returns (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, external_id TEXT NOT NULL, cents INTEGER NOT NULL,
    body TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS payout_returns_external_id ON payout_returns (external_id);
  CREATE TABLE IF NOT EXISTS mails (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, body TEXT NOT NULL);
`;

const tables = [
  ...['objects', 'settings', 'scheduled', 'deliveries', 'idempotency', 'payouts', 'payout_returns', 'mails'],
] as const;

export class Storage {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** Cache of stored settings, null for an absent one: nearly every request reads them. */
  readonly #settings = new Map<string, string | null>();
  #inTransaction = false;

  /** @param directory created if missing; absent keeps everything in memory. */
  constructor(directory?: string) {
    if (directory) mkdirSync(directory, { recursive: true });
    this.#database = new DatabaseSync(directory ? join(directory, 'sandbox.sqlite') : ':memory:');
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000');
    this.#database.exec(SCHEMA);
  }

  /** Runs `work` in one transaction: committed when it returns, rolled back when it throws. Must not be nested. */
  transaction<T>(work: () => T): T {
    if (this.#inTransaction) throw new Error('A sandbox transaction is already open');
    this.#database.exec('BEGIN IMMEDIATE');
    this.#inTransaction = true;
    try {
      const result = work();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      this.#database.exec('ROLLBACK');
      this.#settings.clear();
      throw error;
    } finally {
      this.#inTransaction = false;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  all(sql: string, ...values: SQLInputValue[]): Record<string, SQLInputValue>[] {
    return this.#prepare(sql).all(...values) as Record<string, SQLInputValue>[];
  }

  one(sql: string, ...values: SQLInputValue[]): Record<string, SQLInputValue> | undefined {
    return this.#prepare(sql).get(...values) as Record<string, SQLInputValue> | undefined;
  }

  /** Returns how many rows were changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  setting<T>(name: string, fallback: T): T {
    let text = this.#settings.get(name);
    if (text === undefined) {
      const row = this.one('SELECT value FROM settings WHERE name = ?', name);
      text = row ? String(row.value) : null;
      this.#settings.set(name, text);
    }
    return text === null ? fallback : (JSON.parse(text) as T);
  }

  setSetting(name: string, value: unknown): void {
    const text = JSON.stringify(value);
    this.run('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)', name, text);
    this.#settings.set(name, text);
  }

  insert<K extends Kind>(kind: K, object: Kinds[K], internals: Internals[K]): void {
    const created = 'created' in object ? Number(object.created) : 0;
    this.run(
      'INSERT INTO objects (kind, id, created, body, internals) VALUES (?, ?, ?, ?, ?)',
      ...[kind, object.id, created, JSON.stringify(object), JSON.stringify(internals)],
    );
  }

  /** Replaces the stored object, and its internals when given. */
  save<K extends Kind>(kind: K, object: Kinds[K], internals?: Internals[K]): void {
    const body = JSON.stringify(object);
    if (internals) {
      const kept = JSON.stringify(internals);
      this.run('UPDATE objects SET body = ?, internals = ? WHERE kind = ? AND id = ?', body, kept, kind, object.id);
    } else this.run('UPDATE objects SET body = ? WHERE kind = ? AND id = ?', body, kind, object.id);
  }

  remove(kind: Kind, id: string): void {
    this.run('DELETE FROM objects WHERE kind = ? AND id = ?', kind, id);
  }

  find<K extends Kind>(kind: K, id: string): Kinds[K] | undefined {
    const row = this.one('SELECT body FROM objects WHERE kind = ? AND id = ?', kind, id);
    return row ? (JSON.parse(String(row.body)) as Kinds[K]) : undefined;
  }

  /** The object as the text it was stored as, which is what webhooks send. */
  text(kind: Kind, id: string): string {
    const row = this.one('SELECT body FROM objects WHERE kind = ? AND id = ?', kind, id);
    if (!row) throw new Error(`No ${kind} ${id} in the sandbox`);
    return String(row.body);
  }

  internals<K extends Kind>(kind: K, id: string): Internals[K] {
    const row = this.one('SELECT internals FROM objects WHERE kind = ? AND id = ?', kind, id);
    if (!row) throw new Error(`No ${kind} ${id} in the sandbox`);
    return JSON.parse(String(row.internals)) as Internals[K];
  }

  /** Newest first. A cursor that names no object of this kind throws a RangeError with the cursor's parameter name. */
  list<K extends Kind>(kind: K, query: ListQuery): { data: Kinds[K][]; hasMore: boolean } {
    const where = ['o.kind = ?'];
    const values: SQLInputValue[] = [kind];
    const add = (condition: string, ...more: SQLInputValue[]) => {
      where.push(condition);
      values.push(...more);
    };
    for (const [field, value] of Object.entries(query.equal ?? {})) {
      if (value !== undefined) add(`json_extract(o.body, '$.${field}') = ?`, value);
    }
    if (query.types) {
      add(`json_extract(o.body, '$.type') IN (${query.types.map(() => '?').join(', ')})`, ...query.types);
    }
    if (query.where) add(query.where);
    const { gt, gte, lt, lte } = query.created ?? {};
    if (gt !== undefined) add('o.created > ?', gt);
    if (gte !== undefined) add('o.created >= ?', gte);
    if (lt !== undefined) add('o.created < ?', lt);
    if (lte !== undefined) add('o.created <= ?', lte);
    if (query.startingAfter) add('o.seq < ?', this.#position(kind, query.startingAfter, 'starting_after'));
    if (query.endingBefore) add('o.seq > ?', this.#position(kind, query.endingBefore, 'ending_before'));
    const order = query.endingBefore ? 'ASC' : 'DESC';
    const sql = `SELECT o.body FROM objects o WHERE ${where.join(' AND ')} ORDER BY o.seq ${order} LIMIT ?`;
    const rows = this.all(sql, ...values, query.limit + 1);
    const hasMore = rows.length > query.limit;
    const data = rows.slice(0, query.limit).map((row) => JSON.parse(String(row.body)) as Kinds[K]);
    return { data: query.endingBefore ? data.reverse() : data, hasMore };
  }

  /** Deletes everything, settings included. */
  clear(): void {
    for (const table of tables) this.run(`DELETE FROM ${table}`);
    this.#settings.clear();
  }

  #position(kind: Kind, id: string, parameter: string): number {
    const row = this.one('SELECT seq FROM objects WHERE kind = ? AND id = ?', kind, id);
    if (!row) throw new RangeError(parameter);
    return Number(row.seq);
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
