import { type JobName, jobs } from '#core/contracts/jobs';
import { hourMs } from '#core/time/time';
import type { WorkerConfiguration } from '#platform/configuration/worker';
import type { Queues } from '#platform/queues/queues';

/** Every repeating job, by its own name as stable id, so that many workers keep one schedule and a restart adds none. */
export async function upsertSchedules(
  queues: Queues,
  env: Pick<WorkerConfiguration, 'sweepEveryMs' | 'rates'>,
): Promise<void> {
  const schedules: readonly {
    job: Extract<JobName, `sweep-${string}` | 'open-rate-run' | 'watch-rates'>;
    everyMs: number;
  }[] = [
    { job: 'sweep-transfers', everyMs: env.sweepEveryMs },
    { job: 'sweep-stripe-events', everyMs: env.sweepEveryMs },
    { job: 'sweep-mails', everyMs: env.sweepEveryMs },
    { job: 'watch-rates', everyMs: env.sweepEveryMs },
    { job: 'sweep-rate-changes', everyMs: env.sweepEveryMs },
    { job: 'sweep-crypto-orders', everyMs: env.sweepEveryMs },
    { job: 'sweep-leftovers', everyMs: hourMs },
    { job: 'open-rate-run', everyMs: env.rates.everyMs },
  ];
  for (const { job, everyMs } of schedules) {
    await queues[jobs[job].queue].upsertJobScheduler(
      job,
      { every: everyMs },
      // The next round is the retry; only a few results are worth keeping.
      { name: job, data: {}, opts: { attempts: 1, removeOnComplete: { count: 20 }, removeOnFail: { count: 100 } } },
    );
  }
}
