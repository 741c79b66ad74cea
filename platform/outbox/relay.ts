import { LockMode } from '@mikro-orm/core';
import { type JobName, jobs } from '#core/contracts/jobs';
import { pushes } from '#core/contracts/live';
import type { Database } from '../database/database.ts';
import type { Push } from '../live/push.ts';
import type { Logger } from '../logging.ts';
import type { Queues } from '../queues/queues.ts';
import { OutboxRow } from './outbox.entity.ts';
import { kindsWritten } from './outbox.ts';

/** Rows taken in one transaction; small enough that a crash repeats little. */
const batchSize = 100;

/** Up to so many jobs of a queue are added one by one: adding in bulk costs PostgreSQL as much as five jobs, however few they are. */
const singlesMost = 5;

/** Rows this version can carry. Others wait for the process of the version that wrote them, and hold up nothing. */
const known = { job: Object.keys(jobs), push: Object.keys(pushes) } as const;

type Kind = OutboxRow['kind'];

const usual = {
  /** How often rows left by other processes are looked for, in ms: those of one that died before it carried them. */
  idleMs: 10_000,
  /** Pause after a failure (queue or database unreachable), in ms. */
  failureMs: 1000,
  /** How long a queue may take, in ms: Redis that is down from the start would be waited for without end. */
  queueMsMax: 10_000,
};

/**
 * Carries outbox rows to queues and browsers, at least once: rows are deleted in the transaction that locked them, after
 * they were handed over. The process that commits wakes its own relay at once; every relay also looks for rows left by others.
 * Pushes go beside the jobs, so that no browser waits for a queue.
 */
export class Relay {
  readonly #lanes: readonly Lane[];
  readonly #database: Database;

  constructor(database: Database, queues: Queues, push: Push, log: Logger, times: Partial<typeof usual> = {}) {
    const all = { ...usual, ...times };
    this.#database = database;
    this.#lanes = [
      new Lane('job', database, (rows) => addJobs(queues, rows, all.queueMsMax), { log, times: all }),
      new Lane('push', database, (rows) => sendPushes(database, push, rows, log), { log, times: all }),
    ];
  }

  /** Starts looking, and listens for this process's commits; one that wrote nothing for a lane does not wake it. */
  start(): void {
    this.#database.onCommit((em) => {
      const kinds = kindsWritten(em);
      for (const lane of this.#lanes) if (kinds.has(lane.kind)) lane.wake();
    });
    for (const lane of this.#lanes) lane.start();
  }

  /** Finishes the batches at hand and stops; what is left stays in the outbox. */
  async stop(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.stop()));
  }
}

/** Carries the rows of one kind, batch after batch. */
class Lane {
  readonly kind: Kind;
  readonly #database: Database;
  readonly #carry: (rows: readonly OutboxRow[]) => Promise<void>;
  readonly #log: Logger;
  readonly #times: typeof usual;
  #stopped = false;
  #wake: () => void = () => {};
  #awake = false;
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

  wake(): void {
    this.#awake = true;
    this.#wake();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      this.#awake = false;
      try {
        while (!this.#stopped && (await this.#carryBatch()) === batchSize);
        if (!this.#awake) await this.#pause(this.#times.idleMs);
      } catch (error) {
        this.#log.warn({ err: error }, 'the relay could not carry the outbox; it tries again');
        if (!this.#stopped) await this.#pause(this.#times.failureMs, false);
      }
    }
  }

  #pause(ms: number, wakeable = true): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        if (!wakeable && !this.#stopped) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Hands over one batch; returns how many rows it took. */
  #carryBatch(): Promise<number> {
    return this.#database.fork().transactional(async (em) => {
      const rows = await em.find(
        OutboxRow,
        { kind: this.kind, name: { $in: [...known[this.kind]] } },
        { orderBy: { id: 'asc' }, limit: batchSize, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
      );
      if (rows.length === 0) return 0;
      await this.#carry(rows);
      await em.nativeDelete(OutboxRow, { id: { $in: rows.map((row) => row.id) } });
      return rows.length;
    });
  }
}

async function addJobs(queues: Queues, rows: readonly OutboxRow[], msMax: number): Promise<void> {
  const byQueue = Map.groupBy(rows, (row) => jobs[row.name as JobName].queue);
  for (const [queue, ofQueue] of byQueue) {
    const wanted = ofQueue.map((row) => ({
      name: row.name,
      data: row.data,
      opts: { jobId: jobIdOf(row), delay: Math.max(0, (row.runAt?.getTime() ?? 0) - Date.now()) },
    }));
    const added =
      wanted.length > singlesMost
        ? queues[queue].addBulk(wanted)
        : Promise.all(wanted.map(({ name, data, opts }) => queues[queue].add(name, data, opts)));
    await within<unknown>(msMax, added, `queue ${queue} does not answer`);
  }
}

/**
 * A failed push is logged and not repeated, because browsers load everything again when they connect. Pushes read outside
 * of the batch's transaction, which a failed statement would undo.
 */
async function sendPushes(database: Database, push: Push, rows: readonly OutboxRow[], log: Logger): Promise<void> {
  try {
    await push(database.fork(), rows);
  } catch (error) {
    log.warn({ err: error }, 'a live push failed');
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
