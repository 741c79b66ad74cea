import { LockMode } from '@mikro-orm/core';
import { type JobName, jobs } from '#core/contracts/jobs';
import { pushes } from '#core/contracts/live';
import type { Database } from '../database/database.ts';
import type { Push } from '../live/push.ts';
import type { Logger } from '../logging.ts';
import type { Queues } from '../queues/queues.ts';
import { OutboxRow } from './outbox.entity.ts';

/** Rows taken in one transaction; small enough that a crash repeats little. */
const batchSize = 100;

/** Rows this version can carry. Others wait for the process of the version that wrote them, and hold up nothing. */
const known = [...Object.keys(jobs), ...Object.keys(pushes)];

const usual = {
  /** How often rows left by other processes are looked for, in ms. */
  idleMs: 1000,
  /** Pause after a failure (queue or database unreachable), in ms. */
  failureMs: 1000,
  /** How long a queue may take, in ms: Redis that is down from the start would be waited for without end. */
  queueMsMax: 10_000,
};

/**
 * Carries outbox rows to queues and browsers, at least once: rows are deleted in the transaction that locked them, after
 * they were handed over. The process that commits wakes its own relay at once; every relay also looks for rows left by others.
 */
export class Relay {
  readonly #database: Database;
  readonly #queues: Queues;
  readonly #push: Push;
  readonly #log: Logger;
  readonly #times: typeof usual;
  #stopped = false;
  #wake: () => void = () => {};
  #awake = false;
  #running: Promise<void> = Promise.resolve();

  constructor(database: Database, queues: Queues, push: Push, log: Logger, times: Partial<typeof usual> = {}) {
    this.#database = database;
    this.#queues = queues;
    this.#push = push;
    this.#log = log;
    this.#times = { ...usual, ...times };
  }

  /** Starts looking, and listens for this process's commits. */
  start(): void {
    this.#database.onCommit(() => this.wake());
    this.#running = this.#run();
  }

  /** Looks at the outbox now. */
  wake(): void {
    this.#awake = true;
    this.#wake();
  }

  /** Finishes the batch at hand and stops; what is left stays in the outbox. */
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
        { name: { $in: known } },
        { orderBy: { id: 'asc' }, limit: batchSize, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
      );
      if (rows.length === 0) return 0;
      await this.#addJobs(rows.filter((row) => row.kind === 'job'));
      await this.#sendPushes(rows.filter((row) => row.kind === 'push'));
      await em.nativeDelete(OutboxRow, { id: { $in: rows.map((row) => row.id) } });
      return rows.length;
    });
  }

  async #addJobs(rows: OutboxRow[]): Promise<void> {
    const byQueue = Map.groupBy(rows, (row) => jobs[row.name as JobName].queue);
    for (const [queue, ofQueue] of byQueue) {
      const added = this.#queues[queue].addBulk(
        ofQueue.map((row) => ({
          name: row.name,
          data: row.data,
          opts: { jobId: jobIdOf(row), delay: Math.max(0, (row.runAt?.getTime() ?? 0) - Date.now()) },
        })),
      );
      await within(this.#times.queueMsMax, added, `queue ${queue} does not answer`);
    }
  }

  /**
   * A failed push is logged and not repeated, because browsers load everything again when they connect. Pushes read outside
   * of the batch's transaction, which a failed statement would undo.
   */
  async #sendPushes(rows: OutboxRow[]): Promise<void> {
    if (rows.length === 0) return;
    try {
      await this.#push(this.#database.fork(), rows);
    } catch (error) {
      this.#log.warn({ err: error }, 'a live push failed');
    }
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
