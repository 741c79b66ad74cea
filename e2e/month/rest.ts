import { Queue } from 'bullmq';
import { type JobName, jobs } from '#core/contracts/jobs';
import { heldPrefix } from '#core/holds/holds';
import { connectQueues, type QueueConnection } from '#platform/queues/queues';
import { query } from '../ledger.ts';
import { unfinished } from '../soak/stillness.ts';
import type { TestApp } from '../test-app.ts';
import { until } from '../until.ts';

/** How long a product may take until it has done all that is due, in ms. */
const restMsMax = 5 * 60_000;
/** Work due sooner than this is awaited, in ms. */
const soonMs = 15_000;

/** Work that may be unfinished at the end of a session: it waits for a person or for a later time. */
const mayWait =
  /^(delayed .*|open operations|awaiting_payment transfers|in_review transfers|ended transfers not voided)$/;

/** Looks whether a product has done all that is due, by its own clock. */
export class Rest {
  readonly #app: TestApp;
  readonly #now: () => Date;
  readonly #connection: QueueConnection;
  readonly #queues: Map<string, Queue>;

  /** `redisUrl`: where the queues are; undefined: in PostgreSQL. */
  constructor(app: TestApp, now: () => Date, redisUrl: string | undefined) {
    this.#app = app;
    this.#now = now;
    this.#connection = connectQueues({ databaseUrl: app.databaseUrl, redisUrl });
    const names = [...new Set(Object.values(jobs).map(({ queue }) => queue))];
    const { producer: connection } = this.#connection;
    this.#queues = new Map(names.map((name) => [name, new Queue(name, { connection })]));
    for (const queue of this.#queues.values()) queue.on('error', () => {});
  }

  async close(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.close()));
    await this.#connection.close();
  }

  /** Waits until every sweep has begun a round since a moment, and the queues have no schedule that is overdue. */
  async untilSwept(since: Date): Promise<void> {
    // The simulators' own timer was set before the time jumped.
    await this.#app.sandbox.advance(0);
    await until(
      'every sweep has run',
      async () => {
        const sweeps = this.#queue('sweep-all');
        const scheduler = await sweeps.getJobScheduler('sweep-all');
        return (scheduler?.next ?? 0) > since.getTime() && (await sweeps.getActiveCount()) === 0;
      },
      restMsMax,
    );
  }

  /** Waits until nothing is due. @throws with the remaining work. */
  async untilQuiet(): Promise<void> {
    let left: Record<string, number> = {};
    const look = async () => {
      left = await this.#due();
      return Object.keys(left).length === 0;
    };
    await until('nothing is due', look, restMsMax).catch((error) => {
      throw new Error(`${(error as Error).message}: ${JSON.stringify(left)}`);
    });
  }

  /** Waits until no comparison of the books waits or runs. */
  async untilCompared(): Promise<void> {
    await until('the books are compared', async () => (await this.#comparing()) === 0, restMsMax);
  }

  async #due(): Promise<Record<string, number>> {
    const all = await unfinished(this.#app, [...this.#queues.values()]);
    const left = Object.fromEntries(Object.entries(all).filter(([what]) => !mayWait.test(what)));
    const soon = new Date(this.#now().getTime() + soonMs);
    const [due] = await query<{ count: number }>(this.#app.databaseUrl, dueOperations, [soon, `${heldPrefix}%`]);
    if (due?.count) left['due operations'] = due.count;
    const comparing = await this.#comparing();
    if (comparing > 0) left['comparing the books'] = comparing;
    return left;
  }

  /** Rounds of comparing the books that wait or run; the next one of the schedule is due in its hour. */
  async #comparing(): Promise<number> {
    const books = this.#queue('reconcile-books');
    const delayed = await books.getJobs(['delayed']);
    const due = delayed.filter((job) => job && job.timestamp + (job.opts.delay ?? 0) <= this.#now().getTime());
    return (await books.getJobCountByTypes('waiting', 'active', 'prioritized')) + due.length;
  }

  #queue(job: JobName): Queue {
    return this.#queues.get(jobs[job].queue) as Queue;
  }
}

const dueOperations = `select count(*)::int as count from operation
  where status in ('pending', 'in_flight', 'unknown') and kind <> 'authorization' and next_attempt_at <= $1
    and coalesce(last_error, '') not like $2`;
