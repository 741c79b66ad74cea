import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { heldPrefix } from '#core/holds/holds';
import type { TransferState } from '#core/transfers/states';

/** Between two looks, in ms. */
const lookMs = 200;
/** Longest wait for one transfer, in ms: longer than a provider's circuit stays open after a few failures. */
const waitMsMax = 20 * 60_000;

/** Where a transfer is, and how many operations about it are under way. */
export interface TransferNow {
  readonly state: TransferState;
  /** Those that wait for the end of a dispute left out. */
  readonly open: number;
  /** External ids of the payouts that came back, in whole or in part, as far as the product took it. */
  readonly returned: readonly string[];
}

interface Waiting {
  readonly id: string;
  readonly what: string;
  readonly until: number;
  readonly holds: (now: TransferNow) => boolean;
  readonly resolve: (now: TransferNow) => void;
  readonly reject: (error: Error) => void;
}

const looks = `select id, state, (select count(*)::int from operation as o where o.transfer_id = t.id and o.kind <> 'authorization'
  and o.status in ('pending', 'in_flight', 'unknown') and coalesce(o.last_error, '') not like $2) as open,
  array(select r.external_id from operation as o join bank_return as r on r.operation_id = o.id where o.transfer_id = t.id) as returned
  from transfer as t where id = any($1)`;

/** Looks at the product's database for all who wait for a transfer, one query at a time. */
export class TransferWatch {
  readonly #pool: pg.Pool;
  #waiting: Waiting[] = [];
  #looking = false;

  constructor(databaseUrl: string) {
    this.#pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
    // A PostgreSQL that is killed ends idle connections, too.
    this.#pool.on('error', () => {});
  }

  /** Waits until something holds of a transfer. @throws after a long time. */
  wait(id: string, what: string, holds: (now: TransferNow) => boolean): Promise<TransferNow> {
    const { promise, resolve, reject } = Promise.withResolvers<TransferNow>();
    this.#waiting.push({ id, what, until: Date.now() + waitMsMax, holds, resolve, reject });
    if (!this.#looking) void this.#look();
    return promise;
  }

  async query<Row extends pg.QueryResultRow>(sql: string, values: unknown[]): Promise<Row[]> {
    return (await this.#pool.query<Row>(sql, values)).rows;
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #look(): Promise<void> {
    this.#looking = true;
    while (this.#waiting.length > 0) {
      const ids = [...new Set(this.#waiting.map(({ id }) => id))];
      // While PostgreSQL is down the state is unknown.
      const rows = await this.query<TransferNow & { id: string }>(looks, [ids, `${heldPrefix}%`]).catch(() => []);
      const seen = new Map(rows.map((row) => [row.id, row]));
      this.#waiting = this.#waiting.filter((one) => !ended(one, seen.get(one.id)));
      await pause(lookMs);
    }
    this.#looking = false;
  }
}

/** Ends a wait whose end has come; returns whether it has. */
function ended({ id, what, until, holds, resolve, reject }: Waiting, now: TransferNow | undefined): boolean {
  if (now && holds(now)) resolve(now);
  else if (Date.now() > until)
    reject(new Error(`transfer ${id}: waited in vain until ${what}; last: ${JSON.stringify(now)}`));
  else return false;
  return true;
}
