import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject, type Type } from '@nestjs/common';
import type { Job } from 'bullmq';
import type { QueueName } from '#core/contracts/jobs';
import type { JobContext } from '#domain/jobs/job-context';
import { type QueueConnection, type Queues, workerDefaults } from '#platform/queues/queues';
import { QUEUES } from '#platform/queues/queues.module';
import { AttemptFailedError } from '#platform/queues/retry';
import { requestIdIn, runForRequest } from '#platform/request-id';
import { processJob } from './process-job.ts';

export const JOB_CONTEXT = Symbol('job context');

/**
 * Concurrent jobs of one queue in a worker. Queues that call providers have enough for a slow answer not to block
 * others. Rate runs, sweeps and books run one by one: two sweeps would find the same rows, and price sources must not
 * be called in parallel.
 */
const concurrency: Readonly<Record<QueueName, number>> = {
  'stripe-events': 8,
  confirmations: 8,
  screenings: 8,
  decisions: 16,
  payouts: 16,
  refunds: 8,
  emails: 8,
  'web-pushes': 8,
  'partner-webhooks': 16,
  rates: 1,
  'rate-alerts': 1,
  reconciliation: 1,
  maintenance: 1,
};

/**
 * Interval of the search for jobs of a dead worker in queues that no person waits for, in ms. On an idle PostgreSQL
 * this search costs more than anything else.
 */
const patientStalledMs = 30_000;
const impatient: ReadonlySet<QueueName> = new Set(['stripe-events', 'confirmations', 'decisions', 'payouts']);

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

    constructor(
      @Inject(JOB_CONTEXT) private readonly context: JobContext,
      @Inject(QUEUES) private readonly queues: Queues,
    ) {
      super();
    }

    process(job: Job, token?: string): Promise<void> {
      return processJob({ context: this.context, queues: this.queues, queueName }, job, token);
    }

    @OnWorkerEvent('error')
    onError(error: Error): void {
      this.context.log.warn({ err: error, queue: queueName }, 'a worker lost its connection; it reconnects');
    }

    @OnWorkerEvent('failed')
    onFailed(job: Job | undefined, error: Error): void {
      const { name, id, attemptsMade } = job ?? {};
      const line = { err: error, queue: queueName, job: name, id, attempt: attemptsMade };
      const isRepeated = error instanceof AttemptFailedError;
      runForRequest(requestIdIn(job?.data), () =>
        isRepeated
          ? this.context.log.warn(line, 'an attempt failed; the job runs again')
          : this.context.log.error(line, 'a job failed'),
      );
    }
  }
  return Host;
}
