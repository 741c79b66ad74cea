import pg from 'pg';

/** Centavos or cents by ledger account and currency, such as `bank BOB`; none of them zero. */
export type Balances = Readonly<Record<string, bigint>>;

export interface OperationRow {
  readonly kind: string;
  readonly status: string;
  readonly sequence: number;
  readonly error: string | null;
}

/** The product's rows of one transfer. */
export interface TransferRows {
  readonly state: string;
  readonly operations: readonly OperationRow[];
  /** The oldest first. */
  readonly openCaseIds: readonly string[];
  readonly openCaseReasons: readonly string[];
  /** Requests that wait for a second person, the oldest first. */
  readonly waitingRequestIds: readonly string[];
  readonly books: Balances;
  /** Scopes of the stops that are active, the oldest first. */
  readonly stops: readonly string[];
  /** Whether an event of Stripe about a dispute, a refund or a warning is stored and not handled. */
  readonly hasUnhandledEvents: boolean;
}

/**
 * The only file of this test that knows the product's tables: everything that the API does not tell. A redesign of operations,
 * queues or ledger changes the statements here and nothing else.
 */
export class ProductTables {
  readonly #pool: pg.Pool;

  constructor(databaseUrl: string) {
    this.#pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
    this.#pool.on('error', () => {});
  }

  /** Short descriptions of the worker's due work; empty when it is idle until time passes. */
  async busyWith(now: Date): Promise<string[]> {
    const { rows } = await this.#pool.query<{ what: string }>({ name: 'model-busy', text: busySql, values: [now] });
    return rows.map(({ what }) => what);
  }

  async read(transferId: string): Promise<TransferRows> {
    const { rows } = await this.#pool.query<RawRows>({ name: 'model-read', text: readSql, values: [transferId] });
    const [row] = rows;
    if (!row) throw new Error(`there is no transfer ${transferId}`);
    const { books, ...rest } = row;
    return { ...rest, books: Object.fromEntries(books.map(({ name, minor }) => [name, BigInt(minor)])) };
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

type RawRows = Omit<TransferRows, 'books'> & { books: { name: string; minor: string }[] };

const openList = `('pending', 'in_flight', 'unknown')`;

/** Rows that wait for a later moment, for a provider whose circuit is open, or whose worker died, are at rest. Relays delete rows some time after carrying them. */
const busySql = `
  select 'job ' || name as what from bullmq.job
    where state = 'waiting' or (state = 'active' and locked_until_ms > extract(epoch from $1::timestamptz) * 1000)
  union all
  select 'outbox ' || name from outbox as o where kind = 'job' and (run_at is null or run_at <= $1) and not exists (
    select from bullmq.job where id = coalesce(o.job_key, o.name || '-' || o.id || '-' || round(extract(epoch from o.created_at) * 1000)))
  union all
  select 'event ' || type from stripe_event where next_attempt_at <= $1
  union all
  select kind || ' ' || status from operation as o where status in ${openList}
    and (next_attempt_at <= $1 or (status = 'in_flight' and attempt_started_at is not null))
    and not exists (select from provider_circuit where provider = o.provider and open_until > $1)`;

const readSql = `
  select t.state,
    (select coalesce(json_agg(json_build_object('kind', kind, 'status', status, 'sequence', sequence, 'error', last_error)
      order by created_at, kind, sequence), '[]') from operation where transfer_id = t.id) as operations,
    (select coalesce(json_agg(id order by opened_at, id), '[]') from desk_case where transfer_id = t.id and resolved_at is null)
      as "openCaseIds",
    (select coalesce(json_agg(reason order by opened_at, id), '[]') from desk_case where transfer_id = t.id and resolved_at is null)
      as "openCaseReasons",
    (select coalesce(json_agg(id order by requested_at), '[]') from desk_request where transfer_id = t.id and outcome is null)
      as "waitingRequestIds",
    (select coalesce(json_agg(json_build_object('name', account || ' ' || currency, 'minor', amount_minor::text)), '[]')
      from ledger_balance where transfer_id = t.id) as books,
    (select coalesce(json_agg(scope order by set_at), '[]') from money_stop where lifted_at is null) as stops,
    exists (select from stripe_event where payment_intent_id = t.payment_intent_id and handled_at is null
      and type ~ '^(charge.dispute|charge.refund|refund|radar)') as "hasUnhandledEvents"
  from transfer as t where t.id = $1`;
