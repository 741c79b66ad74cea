import type { QueueName } from '#core/contracts/jobs';
import { jobDuration, timed } from '#platform/telemetry/metrics';
import { traced } from '#platform/telemetry/tracing';

/** Runs a job, or one of its parts, in its own span and measures it. @throws what the work throws. */
export function timedJob<Result>(name: string, queue: QueueName, work: () => Promise<Result>): Promise<Result> {
  return timed(
    () => traced(`job ${name}`, { kind: 'consumer' }, work),
    (seconds, ended) => {
      const outcome = 'result' in ended ? 'completed' : 'failed';
      jobDuration.observe({ queue, job: name, outcome }, seconds);
    },
  );
}
