import { DelayedError, type Job, WaitingError } from 'bullmq';
import type { QueueName } from '#core/contracts/jobs';
import type { JobContext } from '#domain/jobs/job-context';
import { isQueuePaused } from '#domain/queue-pauses/queue-pause.repository';
import type { Queues } from '#platform/queues/queues';
import { AttemptFailedError } from '#platform/queues/retry';
import { requestIdIn, runForRequest } from '#platform/request-id';
import { isJobName, runJob } from './handlers.ts';
import { timedJob } from './timed-job.ts';

/**
 * Runs a job that BullMQ gave to this worker. While its queue is paused in PostgreSQL it goes back: an emptied Redis
 * has forgotten the pause, which is set again before anything runs. @throws BullMQ's errors for a job that waits, is
 * delayed, or failed.
 */
export async function processJob(
  { context, queues, queueName }: { context: JobContext; queues: Queues; queueName: QueueName },
  job: Job,
  token?: string,
): Promise<void> {
  if (await isQueuePaused(context.database.fork(), queueName)) {
    await queues[queueName].pause();
    // It was resumed in between.
    if (!(await isQueuePaused(context.database.fork(), queueName))) await queues[queueName].resume();
    await job.moveToWait(token);
    throw new WaitingError();
  }
  const name = isJobName(job.name) ? job.name : 'unknown';
  const again = await runForRequest(requestIdIn(job.data), () =>
    timedJob(name, queueName, async () => {
      const result = await runJob(context, job);
      if (result?.error !== undefined) throw new AttemptFailedError(result.error, result.at);
      return result;
    }),
  );
  if (!again) return;
  // Nothing failed: the provider has not finished, or the job came too early.
  await job.moveToDelayed(again.at.getTime(), token);
  throw new DelayedError();
}
