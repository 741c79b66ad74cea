import { EventEmitter, once } from 'node:events';
import type { Worker } from 'bullmq';
import { openDatabase } from '#domain/database';
import type { JobContext } from '#domain/jobs/job-context';
import { openFirstRateRun } from '#domain/rate-observations/collect-rates';
import { RateRun } from '#domain/rate-observations/rate-run.entity';
import { Relay } from '#platform/outbox/relay';
import { openTestQueues, type TestQueues } from '../../platform/testing/queues.ts';
import { createTestContext } from '../../testing/job-context.ts';
import { runJob } from '../handlers.ts';

export interface RatesFixtureOptions {
  readonly databaseUrl: string;
  readonly sourcesUrl: string;
  readonly now: () => Date;
  /** Longest wait for one answer, in ms. */
  readonly timeoutMs?: number;
}

/** One process lifetime of the part of the worker that collects rates: its own connections, queue, relay and memory. */
export class RatesFixture {
  readonly context: JobContext;
  readonly #opened: TestQueues;
  readonly #relay: Relay;
  readonly #worker: Worker;
  /** Ids of jobs that completed or failed. */
  readonly #ended = new Set<string>();
  readonly #ends = new EventEmitter();

  private constructor(context: JobContext, opened: TestQueues, relay: Relay, worker: Worker) {
    this.context = context;
    this.#opened = opened;
    this.#relay = relay;
    this.#worker = worker;
    const ended = (job: { id?: string } | undefined) => {
      if (job?.id) this.#ended.add(job.id);
      this.#ends.emit('end');
    };
    worker.on('completed', ended).on('failed', ended);
  }

  /** Takes no jobs yet: `begin` or `takeJobs` does. */
  static async open(options: RatesFixtureOptions): Promise<RatesFixture> {
    const database = await openDatabase(options.databaseUrl, { poolMax: 4 });
    const { databaseUrl, sourcesUrl, ...rest } = options;
    const sources = { RATE_SOURCES_URL: sourcesUrl };
    const { context, configuration } = createTestContext(database, { databaseUrl, env: sources, ...rest });
    const opened = await openTestQueues(configuration);
    const relay = new Relay(database, opened.queues, async () => {}, context.log);
    relay.start();
    const worker = opened.work('rates', async (job) => void (await runJob(context, job)), { autorun: false });
    return new RatesFixture(context, opened, relay, worker);
  }

  async takeJobs(): Promise<void> {
    void this.#worker.run();
    await this.#worker.waitUntilReady();
  }

  /**
   * The start of a worker with waiting ticks of the schedule; see `WorkerLifecycle`. The ticks are queued before the
   * job of the opened run, so that no tick waits for a run to end. Resolves when they have ended.
   */
  async begin(waitingTicks = 0): Promise<void> {
    const ticks = await this.#addTicks(waitingTicks);
    await openFirstRateRun(this.context);
    await this.takeJobs();
    await this.#endOf(ticks);
  }

  /** The schedule's two-hourly tick, or several at once for delayed ones. Resolves when the jobs have ended. */
  async tick(times = 1): Promise<void> {
    await this.#endOf(await this.#addTicks(times));
  }

  async #addTicks(times: number): Promise<string[]> {
    const data = Array.from({ length: times }, () => ({ name: 'open-rate-run', data: {}, opts: { attempts: 1 } }));
    const ticks = await this.#opened.queues.rates.addBulk(data);
    return ticks.map(({ id }) => id as string);
  }

  async #endOf(jobs: readonly string[]): Promise<void> {
    while (jobs.some((id) => !this.#ended.has(id))) await once(this.#ends, 'end');
  }

  /** Waits until no run is open. */
  async settled(): Promise<void> {
    for (;;) {
      const before = this.#ended.size;
      if ((await this.openRun()) === null) return;
      // A job that ended during the query emits no further event.
      if (this.#ended.size === before) await once(this.#ends, 'end');
    }
  }

  openRun(): Promise<RateRun | null> {
    return this.context.database.fork().findOne(RateRun, { finishedAt: null });
  }

  /** A crash: the work in progress is never written. */
  async die(): Promise<void> {
    const { database } = this.context;
    await database.close();
    // Its work continues in this process once a request ends. It would reconnect and hold a connection of the next
    // worker.
    const gone = () => {
      throw new Error('this worker has crashed');
    };
    Object.assign(database, { fork: gone, reader: gone, read: gone, pool: gone, transaction: gone, statement: gone });
    await this.#worker.close(true);
    await this.#relay.stop();
    await this.#opened.close();
  }

  async close(): Promise<void> {
    await this.#worker.close();
    await this.#relay.stop();
    await this.#opened.close();
    await this.context.database.close();
  }
}
