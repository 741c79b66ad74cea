import { LockMode } from '@mikro-orm/core';
import { isRowJob, type JobName, jobs } from '#core/contracts/jobs';
import { pushes } from '#core/contracts/live';
import type { Database } from '../database/database.ts';
import type { Push } from '../live/push.ts';
import type { Logger } from '../logging.ts';
import { type Queues, rowJobAttempts } from '../queues/queues.ts';
import { requestIdIn } from '../request-id.ts';
import { outboxRows } from '../telemetry/metrics.ts';
import { beginSpan, runInTrace, traceparentIn } from '../telemetry/tracing.ts';
import { OutboxRow } from './outbox.entity.ts';
import { rowsWritten } from './outbox.ts';

/** Rows taken in one transaction; small enough that a crash repeats little. */
const batchSize = 100;

/**
 * Maximum number of jobs of a queue that are added one by one: a bulk insert costs PostgreSQL as much as five single
 * ones, whatever its size.
 */
const maxSingles = 5;

/**
 * Rows that this version can deliver. Others wait for a process of the version that wrote them, without blocking
 * anything.
 */
const known = { job: Object.keys(jobs), push: Object.keys(pushes) } as const;

/** Maximum number of rows kept in memory for hand-over; further rows are read from the table. */
const maxHanded = 1000;

type Kind = OutboxRow['kind'];

const usual = {
  /** Polling interval for rows left by processes that died before delivering them, in ms. */
  idleMs: 10_000,
  /** Rows younger than this, in ms, are left to the process that wrote them. */
  restMs: 3_000,
  /** How long rows that were handed over stay in the table, in ms, so that many are deleted at once; well below `restMs`. */
  keptMs: 200,
  /**
   * Pause between two batches of pushes, in ms: changes during the pause are read once and sent together, only the
   * newest of each.
   */
  pushPauseMs: 50,
  /** Pause after a failure (queue or database unreachable), in ms. */
  failureMs: 1000,
  /** How long a queue may take, in ms: Redis that is down from the start would be waited for without end. */
  queueMsMax: 10_000,
};

/**
 * Carries outbox rows to queues and browsers, at least once. The process that commits has its rows at hand, and deletes
 * them soon after they were handed over. Rows that were not, because a process died or something failed, are found by a
 * look at the table; each is locked during hand-over, so that only one relay carries it. Pushes run in parallel with
 * the jobs, so that no browser waits for a queue.
 */
export class Relay {
  readonly #lanes: readonly Lane[];
  readonly #database: Database;
  readonly #log: Logger;
  readonly #times: typeof usual;
  #looking: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database, queues: Queues, push: Push, log: Logger, times: Partial<typeof usual> = {}) {
    const all = { ...usual, ...times };
    this.#database = database;
    this.#log = log;
    this.#times = all;
    this.#lanes = [
      new Lane('job', database, (rows) => addJobs(queues, rows, all.queueMsMax), { log, times: all }),
      new Lane('push', database, (rows) => sendPushes(database, push, rows, log), { log, times: all }),
    ];
  }

  /** Delivers what this process commits from now on, and looks for rows left before. */
  start(): void {
    this.#database.onCommit((em) => {
      const rows = rowsWritten(em);
      if (rows.length === 0) return;
      for (const lane of this.#lanes) lane.take(rows);
    });
    for (const lane of this.#lanes) lane.start();
    this.#lookEvery(new Date());
  }

  /** Finishes the current batches and stops; the remaining rows stay in the outbox. */
  async stop(): Promise<void> {
    await this.#looking;
    clearTimeout(this.#timer);
    await Promise.all(this.#lanes.map((lane) => lane.stop()));
  }

  #lookEvery(writtenBefore: Date): void {
    this.#looking = this.#look(writtenBefore).finally(() => {
      this.#timer = setTimeout(() => {
        this.#lookEvery(new Date(Date.now() - this.#times.restMs));
      }, this.#times.idleMs);
    });
  }

  /** One statement for both kinds of rows, since usually there are none. */
  async #look(writtenBefore: Date): Promise<void> {
    try {
      const left = await this.#database
        .fork()
        .execute<{ kind: Kind }[]>('select distinct kind from outbox where created_at <= ?', [writtenBefore]);
      for (const lane of this.#lanes) if (left.some(({ kind }) => kind === lane.kind)) lane.look(writtenBefore);
    } catch (error) {
      this.#log.warn({ err: error }, 'the relay could not look at the outbox; it tries again');
    }
  }
}

/** Carries the rows of one kind, batch after batch. */
class Lane {
  readonly kind: Kind;
  readonly #database: Database;
  readonly #carry: (rows: readonly OutboxRow[]) => Promise<void>;
  readonly #log: Logger;
  readonly #times: typeof usual;
  /** Rows committed by this process. */
  #handed: OutboxRow[] = [];
  /** Ids of rows that were handed over and are still in the table. */
  #carried: bigint[] = [];
  #deleteTimer: NodeJS.Timeout | undefined;
  #deleting: Promise<void> = Promise.resolve();
  /** The table is searched for rows written up to then. */
  #writtenBefore: Date | undefined;
  #stopped = false;
  #wake: () => void = () => {};
  #running: Promise<void> = Promise.resolve();

  constructor(
    kind: Kind,
    database: Database,
    carry: (rows: readonly OutboxRow[]) => Promise<void>,
    { log, times }: { log: Logger; times: typeof usual },
  ) {
    this.kind = kind;
    this.#database = database;
    this.#carry = carry;
    this.#log = log;
    this.#times = times;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Takes the just committed rows of its kind. */
  take(rows: readonly OutboxRow[]): void {
    for (const row of rows) if (row.kind === this.kind) this.#handed.push(row);
    if (this.#handed.length > maxHanded) this.#leaveToTable();
    this.#wake();
  }

  /** Delivers the remaining rows written up to then. */
  look(writtenBefore: Date): void {
    this.#writtenBefore ??= writtenBefore;
    this.#wake();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake();
    await this.#running;
    await this.#deleteCarried();
  }

  #leaveToTable(): void {
    this.#handed = [];
    this.#writtenBefore = new Date();
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      try {
        if (this.#handed.length > 0) await this.#carryHanded();
        if (this.#writtenBefore) await this.#deleteCarried();
        if (this.#writtenBefore) await this.#carryLeft(this.#writtenBefore);
        if (this.#handed.length === 0 && !this.#writtenBefore && !this.#stopped) await this.#sleep();
      } catch (error) {
        outboxRows.inc({ kind: this.kind, outcome: 'failed' });
        this.#log.warn({ err: error }, 'the relay could not carry the outbox; it tries again');
        this.#leaveToTable();
        if (!this.#stopped) await this.#pause(this.#times.failureMs);
      }
    }
  }

  #sleep(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Ends early only when the lane is stopped. */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        if (!this.#stopped) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Hands over a batch of this process, which is deleted with those that follow soon. */
  async #carryHanded(): Promise<void> {
    const rows = this.#handed.splice(0, batchSize);
    await this.#carry(rows);
    outboxRows.inc({ kind: this.kind, outcome: 'carried' }, rows.length);
    for (const { id } of rows) this.#carried.push(id);
    this.#deleteTimer ??= setTimeout(() => void this.#deleteCarried(), this.#times.keptMs);
    if (this.kind === 'push' && !this.#stopped) await this.#pause(this.#times.pushPauseMs);
  }

  /**
   * Deletes delivered rows except those locked by another relay. Rows that could not be deleted are found and delivered
   * again.
   */
  #deleteCarried(): Promise<void> {
    clearTimeout(this.#deleteTimer);
    this.#deleteTimer = undefined;
    const ids = this.#carried;
    this.#carried = [];
    if (ids.length > 0) this.#deleting = this.#deleting.then(() => this.#delete(ids));
    return this.#deleting;
  }

  async #delete(ids: readonly bigint[]): Promise<void> {
    try {
      const pool = await this.#database.pool();
      await pool.query(deleteCarried, [ids]);
    } catch (error) {
      this.#log.warn({ err: error }, 'the relay could not delete what it carried; it is carried again');
    }
  }

  /** Hands over one batch of rows that were left. */
  async #carryLeft(writtenBefore: Date): Promise<void> {
    const taken = await this.#database.fork().transactional(async (em) => {
      const rows = await em.find(
        OutboxRow,
        { kind: this.kind, name: { $in: [...known[this.kind]] }, createdAt: { $lte: writtenBefore } },
        { orderBy: { id: 'asc' }, limit: batchSize, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
      );
      if (rows.length === 0) return 0;
      await this.#carry(rows);
      outboxRows.inc({ kind: this.kind, outcome: 'carried' }, rows.length);
      await em.nativeDelete(OutboxRow, { id: { $in: rows.map((row) => row.id) } });
      return rows.length;
    });
    if (taken < batchSize && this.#writtenBefore === writtenBefore) this.#writtenBefore = undefined;
  }
}

const deleteCarried = `
  delete from outbox where id in (select id from outbox where id = any($1::bigint[]) for update skip locked)`;

async function addJobs(queues: Queues, rows: readonly OutboxRow[], msMax: number): Promise<void> {
  const byQueue = Map.groupBy(rows, (row) => jobs[row.name as JobName].queue);
  for (const [queue, ofQueue] of byQueue) {
    const wanted = ofQueue.map((row) => ({ name: row.name, data: row.data, opts: optionsOf(row) }));
    const added =
      wanted.length > maxSingles
        ? queues[queue].addBulk(wanted)
        : Promise.all(
            wanted.map(({ name, data, opts }) =>
              runInTrace(traceparentIn(data), () => queues[queue].add(name, data, opts)),
            ),
          );
    await within<unknown>(msMax, added, `queue ${queue} does not answer`);
  }
}

/**
 * Jobs added in bulk carry their trace in their options (bullmq-otel); a single job takes it from the active context.
 */
function optionsOf(row: OutboxRow) {
  const traceparent = traceparentIn(row.data);
  return {
    jobId: jobIdOf(row),
    ...(isRowJob(row.name as JobName) && { attempts: rowJobAttempts }),
    delay: Math.max(0, (row.runAt?.getTime() ?? 0) - Date.now()),
    ...(traceparent && { telemetry: { metadata: JSON.stringify({ traceparent }) } }),
  };
}

/**
 * A failed push is logged and not repeated, because browsers load everything again when they connect. Pushes read outside
 * of the batch's transaction, which a failed statement would undo.
 */
async function sendPushes(database: Database, push: Push, rows: readonly OutboxRow[], log: Logger): Promise<void> {
  const requestIds = [...new Set(rows.map(({ data }) => requestIdIn(data)).filter((id) => id !== undefined))];
  // One reading serves what several traces led to.
  const traces = new Map(rows.map(({ name, data }) => [`${name} ${traceparentIn(data)}`, { name, data }]));
  const spans = [...traces.values()].flatMap(({ name, data }) => {
    const parent = traceparentIn(data);
    return parent ? (beginSpan(`push ${name}`, { parent }) ?? []) : [];
  });
  try {
    await push(database.fork(), rows);
    for (const span of spans) span.end();
    log.debug({ pushes: rows.map(({ name }) => name), requestIds }, 'pushed');
  } catch (error) {
    for (const span of spans) span.end(undefined, {}, true);
    outboxRows.inc({ kind: 'push', outcome: 'failed' });
    log.warn({ err: error, requestIds }, 'a live push failed');
  }
}

/** The same row has the same id, however often it is carried; the time tells it from a row of a database since restored. */
function jobIdOf(row: OutboxRow): string {
  return row.jobKey ?? `${row.name}-${row.id}-${row.createdAt.getTime()}`;
}

async function within<Result>(ms: number, work: Promise<Result>, complaint: string): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(complaint)), ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
