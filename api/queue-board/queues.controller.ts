import { Controller, Inject } from '@nestjs/common';
import { endpoints } from '#core/contracts/http/endpoints';
import { viewQueuePauses } from '#domain/queue-pauses/pause-queue';
import { type FindJob, viewTransferWork } from '#domain/row-jobs/transfer-work';
import { Database } from '#platform/database/database';
import type { Queues } from '#platform/queues/queues';
import { QUEUES } from '#platform/queues/queues.module';
import { Call, type CallOf, Serve } from '../http/serve.ts';

/** How long (ms) an admin waits for the queues before a transfer's operations are shown without its jobs. */
const maxWaitMs = 2_000;

/** Queue figures for the panel; queues are controlled on the queue dashboard. */
@Controller()
export class QueuesController {
  readonly #findJob: FindJob;

  constructor(
    private readonly database: Database,
    @Inject(QUEUES) queues: Queues,
  ) {
    this.#findJob = async (queue, jobId) => {
      const job = await queues[queue].getJob(jobId);
      return job ? { ...job.toJSON(), state: await job.getState() } : null;
    };
  }

  @Serve(endpoints.queuePauses)
  async pauses() {
    return { pauses: await viewQueuePauses(this.database.fork()) };
  }

  @Serve(endpoints.transferWork)
  async work(@Call() { params }: CallOf<typeof endpoints.transferWork>) {
    return viewTransferWork(this.database.fork(), params.id, { findJob: this.#findJob, maxWaitMs });
  }
}
