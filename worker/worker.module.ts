import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Inject,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { queueNames } from '#core/contracts/jobs';
import type { JobContext } from '#domain/jobs/job-context';
import { createPush } from '#domain/notifications/live-push';
import { openFirstRateRun } from '#domain/rate-observations/collect-rates';
import type { LiveSender } from '#platform/live/adapter';
import { Relay } from '#platform/outbox/relay';
import { showQueues } from '#platform/queues/queue-metrics';
import { type QueueConnection, type Queues, queuedJobsOf } from '#platform/queues/queues';
import { QUEUES, QueuesModule } from '#platform/queues/queues.module';
import { JOB_CONTEXT, processorOf, type QueueProcessor } from './queue-processor.ts';
import { Schedules } from './schedules.ts';

const PROCESSORS = Symbol('processors');

export interface WorkerParts {
  readonly context: Omit<JobContext, 'queuedJobs'>;
  readonly connection: QueueConnection;
  readonly live: Pick<LiveSender, 'emit'>;
}

/** Starts the parts of the worker in their order, and stops them so that nothing in flight is lost. */
@Injectable()
export class WorkerLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(
    @Inject(JOB_CONTEXT) private readonly context: JobContext,
    @Inject(PROCESSORS) private readonly processors: readonly QueueProcessor[],
    private readonly schedules: Schedules,
    private readonly relay: Relay,
    @Inject(QUEUES) private readonly queues: Queues,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.relay.start();
    // Before the first check for stale rates, and before jobs are taken: the job of a run that lost its worker long ago
    // then finds it abandoned, and only the new run calls the sources.
    await openFirstRateRun(this.context);
    await Promise.all(this.processors.map((processor) => processor.start()));
    await this.schedules.start();
  }

  /** Running jobs end first, so that the relay still sends the outbox rows they write. */
  async beforeApplicationShutdown(): Promise<void> {
    this.schedules.stop();
    await Promise.all(this.processors.map(({ worker }) => worker.close()));
  }

  /** Hooks of this module run before those of BullModule, which closes the queues. */
  async onApplicationShutdown(): Promise<void> {
    await this.relay.stop();
  }

  /** Counts the jobs of every queue for monitoring. */
  showQueues(): Promise<void> {
    return showQueues(this.queues);
  }

  /** Queues whose worker does not take jobs. */
  stoppedQueues(): string[] {
    return this.processors.filter(({ worker }) => !worker.isRunning()).map(({ queueName }) => queueName);
  }
}

/** What pushes need to know of this installation. */
function pushOptions(context: WorkerParts['context']) {
  const { pauseAfterMs, limits, watchman, reviewTwoPersonsUsdMinor, newDeviceUsdMinor, prices } = context;
  const review = {
    limits,
    screens: watchman !== null,
    screeningWaitMs: 0,
    twoPersonsUsdMinor: reviewTwoPersonsUsdMinor,
    newDeviceUsdMinor,
    prices,
  };
  return { pauseAfterMs, review };
}

@Module({})
export class WorkerModule {
  static register({ context, connection, live }: WorkerParts): DynamicModule {
    const processors = queueNames.map((name) => processorOf(name, connection));
    return {
      module: WorkerModule,
      imports: [
        QueuesModule.register(connection, (error) =>
          context.log.warn({ err: error }, 'a queue lost its connection; it reconnects'),
        ),
      ],
      providers: [
        {
          provide: JOB_CONTEXT,
          inject: [QUEUES],
          useFactory: (queues: Queues): JobContext => ({ ...context, queuedJobs: queuedJobsOf(queues) }),
        },
        ...processors,
        { provide: PROCESSORS, inject: processors, useFactory: (...hosts: QueueProcessor[]) => hosts },
        {
          provide: Relay,
          inject: [QUEUES],
          useFactory: (queues: Queues) =>
            new Relay(context.database, queues, createPush(live.emit, pushOptions(context)), context.log),
        },
        {
          provide: Schedules,
          inject: [QUEUES],
          useFactory: (queues: Queues) => new Schedules(queues, context),
        },
        WorkerLifecycle,
      ],
    };
  }
}
