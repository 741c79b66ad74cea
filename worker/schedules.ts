import { setInterval } from 'node:timers';
import { type JobName, jobs } from '#core/contracts/jobs';
import { hourMs } from '#core/time/time';
import type { JobContext } from '#domain/jobs/job-context';
import type { Queues } from '#platform/queues/queues';

/** Sweep intervals between two checks for missing schedules: a Redis that failed over or was emptied has none. */
const checkIntervals = 2;

interface Schedule {
  readonly job: Extract<
    JobName,
    'sweep-all' | 'sweep-rate-changes' | 'purge-expired' | 'open-rate-run' | 'reconcile-books'
  >;
  readonly everyMs: number;
}

/** Repeating jobs, each with its own name as its stable id, so that many workers keep one schedule and a restart adds none. */
export class Schedules {
  readonly #queues: Queues;
  readonly #context: Pick<JobContext, 'sweepEveryMs' | 'ratesEveryMs' | 'log'>;
  #check: NodeJS.Timeout | undefined;

  constructor(queues: Queues, context: Pick<JobContext, 'sweepEveryMs' | 'ratesEveryMs' | 'log'>) {
    this.#queues = queues;
    this.#context = context;
  }

  /** Adds or updates every schedule, and from then on restores those that get lost. */
  async start(): Promise<void> {
    for (const schedule of this.#all()) await this.#upsert(schedule);
    this.#check = setInterval(() => {
      this.restore().catch((error) => this.#context.log.warn({ err: error }, 'schedules could not be checked'));
    }, checkIntervals * this.#context.sweepEveryMs);
  }

  stop(): void {
    clearInterval(this.#check);
  }

  /** Adds the schedules that the queues no longer know; returns the jobs of those it added. */
  async restore(): Promise<JobName[]> {
    const restored: JobName[] = [];
    for (const schedule of this.#all()) {
      const { job } = schedule;
      if (await this.#queues[jobs[job].queue].getJobScheduler(job)) continue;
      await this.#upsert(schedule);
      restored.push(job);
    }
    if (restored.length > 0) this.#context.log.warn({ jobs: restored }, 'lost schedules were restored');
    return restored;
  }

  #all(): readonly Schedule[] {
    const { sweepEveryMs, ratesEveryMs } = this.#context;
    return [
      { job: 'sweep-all', everyMs: sweepEveryMs },
      { job: 'sweep-rate-changes', everyMs: sweepEveryMs },
      { job: 'purge-expired', everyMs: hourMs },
      { job: 'reconcile-books', everyMs: hourMs },
      { job: 'open-rate-run', everyMs: ratesEveryMs },
    ];
  }

  async #upsert({ job, everyMs }: Schedule): Promise<void> {
    await this.#queues[jobs[job].queue].upsertJobScheduler(
      job,
      { every: everyMs },
      // The next round is the retry; only the latest results are worth keeping.
      { name: job, data: {}, opts: { attempts: 1, removeOnComplete: { age: 600 }, removeOnFail: { age: 24 * 3600 } } },
    );
  }
}
