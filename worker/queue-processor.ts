import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject, type Type } from '@nestjs/common';
import type { Job } from 'bullmq';
import type { QueueName } from '#core/contracts/jobs';
import type { JobContext } from '#domain/job-context';
import { type QueueConnection, workerDefaults } from '#platform/queues/queues';
import { requestIdIn, runForRequest } from '#platform/request-id';
import { isJobName, runJob } from './handlers.ts';
import { timedJob } from './timed-job.ts';

export const JOB_CONTEXT = Symbol('job context');

/**
 * Jobs of one queue that run at the same time. A job of Stripe's events takes a batch, and holds a connection meanwhile. Sweeps and rate runs one by one: two sweeps would find the same rows, and
 * price sources must not be asked in parallel.
 */
const concurrency: Readonly<Record<QueueName, number>> = {
  'stripe-events': 2,
  confirmations: 5,
  decisions: 5,
  payouts: 5,
  expiries: 2,
  sweeps: 1,
  rates: 1,
  alerts: 1,
  mails: 2,
  'rate-changes': 1,
  books: 1,
};

/**
 * How often jobs of a worker that died are looked for (ms), where somebody can wait longer than for their money, or where rows say themselves
 * that they are due and are looked at more often (worker.module.ts). Each look costs an idle PostgreSQL more than anything else it does.
 */
const patientStalledMs = 30_000;
const impatient: ReadonlySet<QueueName> = new Set(['confirmations']);

/** The processor host of one queue. It starts with `start()`, once everything its handlers need is there. */
export abstract class QueueProcessor extends WorkerHost {
  abstract readonly queueName: QueueName;

  /** Takes jobs from now on; resolves when the queue can be reached. */
  async start(): Promise<void> {
    void this.worker.run();
    await this.worker.waitUntilReady();
  }
}

/** Makes the processor class of a queue; BullModule finds it among the providers. */
export function processorOf(queueName: QueueName, connection: QueueConnection): Type<QueueProcessor> {
  @Processor(queueName, {
    ...workerDefaults,
    ...(!impatient.has(queueName) && { stalledInterval: patientStalledMs }),
    connection: connection.worker,
    concurrency: concurrency[queueName],
    ...(connection.telemetry && { telemetry: connection.telemetry }),
    autorun: false,
  })
  class Host extends QueueProcessor {
    readonly queueName = queueName;

    constructor(@Inject(JOB_CONTEXT) private readonly context: JobContext) {
      super();
    }

    process(job: Job): Promise<void> {
      const name = isJobName(job.name) ? job.name : 'unknown';
      return runForRequest(requestIdIn(job.data), () => timedJob(name, () => runJob(this.context, job), queueName));
    }

    @OnWorkerEvent('error')
    onError(error: Error): void {
      this.context.log.warn({ err: error, queue: queueName }, 'a worker lost its connection; it reconnects');
    }

    @OnWorkerEvent('failed')
    onFailed(job: Job | undefined, error: Error): void {
      const { name, id, attemptsMade } = job ?? {};
      const line = { err: error, queue: queueName, job: name, id, attempt: attemptsMade };
      runForRequest(requestIdIn(job?.data), () => this.context.log.error(line, 'a job failed'));
    }
  }
  return Host;
}
