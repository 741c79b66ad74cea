import { LockMode } from '@mikro-orm/core';
import { type JobName, jobs } from '#core/contracts/jobs';
import type { Database, EntityManager } from '../database/database.ts';
import { OutboxRow } from '../database/schema/events.ts';
import type { Push } from '../live/push.ts';
import type { Logger } from '../logging.ts';
import type { Queues } from './queues.ts';

/** Rows taken in one transaction; small enough that a crash repeats little. */
const batchSize = 100;
/** How often leftovers of other processes are looked for, in ms. */
const idleMs = 1000;
/** Pause after a failure (queue or database unreachable), in ms. */
const failureMs = 1000;

/**
 * Carries outbox rows to queues and browsers, at least once: rows are deleted in the transaction that locked them, after
 * they were handed over. The process that commits wakes its own relay at once; every relay also looks for leftovers.
 */
export class Relay {
  readonly #database: Database;
  readonly #queues: Queues;
  readonly #push: Push;
  readonly #log: Logger;
  #stopped = false;
  #wake: () => void = () => {};
  #awake = false;
  #running: Promise<void> = Promise.resolve();

  constructor(database: Database, queues: Queues, push: Push, log: Logger) {
    this.#database = database;
    this.#queues = queues;
    this.#push = push;
    this.#log = log;
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
        if (!this.#awake) await this.#pause(idleMs);
      } catch (error) {
        this.#log.warn({ err: error }, 'the relay could not carry the outbox; it tries again');
        if (!this.#stopped) await this.#pause(failureMs, false);
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
    return this.#database.read().transactional(async (em) => {
      const rows = await em.find(
        OutboxRow,
        {},
        { orderBy: { id: 'asc' }, limit: batchSize, lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
      );
      if (rows.length === 0) return 0;
      await this.#addJobs(rows.filter((row) => row.kind === 'job'));
      await this.#sendPushes(
        em,
        rows.filter((row) => row.kind === 'push'),
      );
      await em.nativeDelete(OutboxRow, { id: { $in: rows.map((row) => row.id) } });
      return rows.length;
    });
  }

  async #addJobs(rows: OutboxRow[]): Promise<void> {
    const byQueue = Map.groupBy(rows, (row) => jobs[row.name as JobName].queue);
    for (const [queue, ofQueue] of byQueue) {
      await this.#queues[queue].addBulk(
        ofQueue.map((row) => ({
          name: row.name,
          data: row.data,
          opts: {
            jobId: row.jobKey ?? `${row.name}-${row.id}`,
            delay: Math.max(0, (row.runAt?.getTime() ?? 0) - Date.now()),
          },
        })),
      );
    }
  }

  /** A push is a courtesy: browsers ask again when they connect, so a failed one is noted and not repeated. */
  async #sendPushes(em: EntityManager, rows: OutboxRow[]): Promise<void> {
    try {
      await this.#push(em, rows);
    } catch (error) {
      this.#log.warn({ err: error }, 'a live push failed');
    }
  }
}
