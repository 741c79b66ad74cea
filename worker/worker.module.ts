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
import type { JobContext } from '#domain/job-context';
import { hasDueEmails } from '#domain/notifications/email.repository';
import { createPush } from '#domain/notifications/live-push';
import { EmailRunner } from '#domain/notifications/send-email';
import { WebPushRunner } from '#domain/notifications/send-web-push';
import { hasDueWebPushes } from '#domain/notifications/web-push.repository';
import { hasDueOperations } from '#domain/operations/due-operations.repository';
import { signalOf } from '#domain/operations/operation.repository';
import { OperationRunner } from '#domain/operations/operation-runner';
import { handleDueStripeEvents } from '#domain/payments/handle-stripe-event';
import { earlyEventMs, hasDueEvents } from '#domain/payments/stripe-event.repository';
import { openFirstRateRun } from '#domain/rate-sources/collect-rates';
import { hasDueNameChecks } from '#domain/recipients/name-check.repository';
import { askDueNames } from '#domain/recipients/name-checks';
import { areNamesDue, screenDueNames } from '#domain/review/screen-names';
import { deliverDueEvents } from '#domain/webhooks/deliver';
import { hasDueDeliveries } from '#domain/webhooks/due-deliveries.repository';
import type { LiveSender } from '#platform/live/adapter';
import { Drain } from '#platform/outbox/drain';
import { type DueName, dueNoted } from '#platform/outbox/outbox';
import { Relay } from '#platform/outbox/relay';
import { showQueues } from '#platform/queues/queue-metrics';
import type { QueueConnection, Queues } from '#platform/queues/queues';
import { QUEUES, QueuesModule } from '#platform/queues/queues.module';
import { JOB_CONTEXT, processorOf, type QueueProcessor } from './queue-processor.ts';
import { Schedules } from './schedules.ts';

const PROCESSORS = Symbol('processors');
const DRAINS = Symbol('drains');

export interface WorkerParts {
  readonly context: JobContext;
  readonly connection: QueueConnection;
  readonly live: Pick<LiveSender, 'emit' | 'on'>;
}

/** Starts the parts of the worker in their order, and stops them so that nothing in flight is lost. */
@Injectable()
export class WorkerLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(
    @Inject(JOB_CONTEXT) private readonly context: JobContext,
    @Inject(PROCESSORS) private readonly processors: readonly QueueProcessor[],
    private readonly schedules: Schedules,
    private readonly relay: Relay,
    @Inject(DRAINS) private readonly drains: readonly Drain[],
    @Inject(QUEUES) private readonly queues: Queues,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.relay.start();
    // Before the first check whether rates are too old, and before jobs are taken: the job of a run that lost its worker long
    // ago then finds it abandoned, and the sources are asked for the new run alone.
    await openFirstRateRun(this.context);
    await Promise.all(this.processors.map((processor) => processor.start()));
    await this.schedules.start();
    for (const drain of this.drains) drain.start();
  }

  /** Running jobs end first, so that the relay still sends the outbox rows they write. */
  async beforeApplicationShutdown(): Promise<void> {
    this.schedules.stop();
    await Promise.all([
      ...this.drains.map((drain) => drain.stop()),
      ...this.processors.map(({ worker }) => worker.close()),
    ]);
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

/** How long what nobody waits for is gathered, in ms: few statements then take all of it, and none takes the CPU from what moves money. */
const gatherMs = { names: 100, emails: 1_000, notifications: 500 } as const;

/** Wakes a drain as soon as an api, or a commit of this process, says that rows are due; with `gatherMs` so much later. */
function wakeOn(
  drain: Drain,
  name: DueName,
  { database, live, gatherMs }: Pick<JobContext, 'database'> & Pick<WorkerParts, 'live'> & { gatherMs?: number },
): void {
  const wake = () => (gatherMs === undefined ? drain.wake() : drain.wakeLater(gatherMs));
  live.on(name, wake);
  database.onCommit((em) => {
    if (dueNoted(em).has(name)) wake();
  });
}

/** Attempts operations that are due. */
function openOperations(context: JobContext, live: WorkerParts['live']): Drain[] {
  const { database, log, now } = context;
  return (['stripe', 'bank'] as const).map((provider) => {
    const runner = new OperationRunner(context, provider);
    const isDue = () => hasDueOperations(database.fork(), { provider, now: now() });
    const drain = new Drain({ isDue, take: () => runner.take(), end: () => runner.stop() }, log);
    wakeOn(drain, signalOf[provider], { database, live });
    return drain;
  });
}

/** What pushes need to know of this installation. */
function pushOptions(context: JobContext) {
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

/** Checks the names of transfers that wait for a decision. */
function openScreenings(context: JobContext, live: WorkerParts['live']): Drain {
  const { database, log } = context;
  const drain = new Drain({ isDue: () => areNamesDue(context), take: () => screenDueNames(context) }, log);
  wakeOn(drain, 'screenings-due', { database, live, gatherMs: gatherMs.names });
  return drain;
}

/** Asks the bank whose the accounts of recipients are. */
function openNameChecks(context: JobContext, live: WorkerParts['live']): Drain {
  const { database, log, now } = context;
  const isDue = () => hasDueNameChecks(database.fork(), now());
  const drain = new Drain({ isDue, take: () => askDueNames(context) }, log);
  wakeOn(drain, 'name-checks-due', { database, live });
  return drain;
}

/** Sends partners their events as soon as a move wrote some, or an attempt is due again. */
function openWebhooks(context: JobContext, live: WorkerParts['live']): Drain {
  const { database, log, now } = context;
  const isDue = () => hasDueDeliveries(database.fork(), now());
  const drain = new Drain({ isDue, take: () => deliverDueEvents(context) }, log);
  wakeOn(drain, 'webhooks-due', { database, live });
  return drain;
}

/** Takes stored events of Stripe as soon as an api says that there are some. */
function openEvents(context: JobContext, live: WorkerParts['live']): Drain {
  const { database, log, now } = context;
  const isDue = () => hasDueEvents(database.fork(), now());
  const take = async () => {
    if (await handleDueStripeEvents(context)) drain.wakeLater(earlyEventMs);
  };
  const drain = new Drain({ isDue, take }, log);
  live.on('stripe-events-due', () => drain.wake());
  return drain;
}

/** Sends e-mails: those of steps a moment later, and at once all others. */
function openEmails(context: JobContext, live: WorkerParts['live']): Drain[] {
  const { database, log, mailer, now } = context;
  if (!mailer) {
    log.warn('e-mails stay unsent: no SMTP_URL');
    return [];
  }
  const runner = new EmailRunner(context, mailer);
  const isDue = () => hasDueEmails(database.fork(), now());
  const drain = new Drain({ isDue, take: () => runner.take(), end: () => runner.stop() }, log);
  wakeOn(drain, 'emails-due', { database, live });
  wakeOn(drain, 'step-emails-due', { database, live, gatherMs: gatherMs.emails });
  return [drain];
}

/** Sends notifications to people's devices a moment after the steps that they tell of. */
function openNotifications(context: JobContext, live: WorkerParts['live']): Drain[] {
  const { database, log, push, now } = context;
  if (!push) {
    log.warn('no notifications are sent to devices: no PUSH_PRIVATE_KEY');
    return [];
  }
  const runner = new WebPushRunner(context, push);
  const isDue = () => hasDueWebPushes(database.fork(), now());
  const drain = new Drain({ isDue, take: () => runner.take(), end: () => runner.stop() }, log);
  wakeOn(drain, 'step-notifications-due', { database, live, gatherMs: gatherMs.notifications });
  return [drain];
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
        { provide: JOB_CONTEXT, useValue: context },
        ...processors,
        { provide: PROCESSORS, inject: processors, useFactory: (...hosts: QueueProcessor[]) => hosts },
        {
          provide: Relay,
          inject: [QUEUES],
          useFactory: (queues: Queues) =>
            new Relay(context.database, queues, createPush(live.emit, pushOptions(context)), context.log),
        },
        {
          provide: DRAINS,
          useFactory: () => [
            openEvents(context, live),
            ...openOperations(context, live),
            openScreenings(context, live),
            openNameChecks(context, live),
            ...openEmails(context, live),
            ...openNotifications(context, live),
            openWebhooks(context, live),
          ],
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
