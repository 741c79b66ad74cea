import { type QueueName, queueNames } from '#core/contracts/jobs';
import { openDatabase } from '#domain/database';
import type { JobContext } from '#domain/job-context';
import { createPush } from '#domain/notifications/live-push';
import { connectMail } from '#domain/notifications/mailer';
import { connectBank } from '#domain/payouts/bank';
import { Collector } from '#domain/rate-sources/collector';
import { openFirstRun } from '#domain/rate-sources/run';
import { readWorkerConfiguration } from '#platform/configuration/worker';
import { openLiveSender } from '#platform/live/adapter';
import { createLogger } from '#platform/logging';
import { Relay } from '#platform/outbox/relay';
import { closeQueues, openQueues, openWorker } from '#platform/queues/queues';
import { createStripe } from '#platform/stripe';
import { runJob } from './handlers.ts';
import { upsertSchedules } from './schedules.ts';

/** Jobs of one queue that run at the same time. Sweeps one by one: they would only find the same things. Rate runs too:
 * sources are not to be pressed. */
const concurrency: Readonly<Record<QueueName, number>> = {
  'stripe-events': 5,
  confirmations: 5,
  decisions: 5,
  payouts: 5,
  expiries: 2,
  sweeps: 1,
  rates: 1,
  alerts: 1,
  mails: 2,
  'rate-desk': 1,
};

/** The context room: takes jobs from the queues and does what they say at Stripe, at the bank and in the database. */
async function start(): Promise<void> {
  const env = readWorkerConfiguration();
  const log = createLogger('worker', env.logLevel);
  const database = await openDatabase(env.databaseUrl);
  const queues = openQueues(env, (error) => log.warn({ err: error }, 'a queue had trouble; it reconnects'));
  const live = openLiveSender(env, log);
  const relay = new Relay(database, queues, createPush(live.emit, env.rates), log);
  const context: JobContext = {
    database,
    stripe: createStripe(env.stripe),
    bank: connectBank(env.bank),
    rateSources: new Collector({ sourcesUrl: env.rates.sourcesUrl, publicUrl: env.publicUrl }),
    mailer: connectMail(env.mail),
    log,
    publicUrl: env.publicUrl,
    sweepEveryMs: env.sweepEveryMs,
    ratesEveryMs: env.rates.everyMs,
    pauseAfterMs: env.rates.pauseAfterMs,
    rateMaxStepBasisPoints: env.rates.maxStepBasisPoints,
    now: () => new Date(),
  };
  relay.start();
  const workers = queueNames.map((name) => {
    const worker = openWorker(env, name, (job) => runJob(context, job), { concurrency: concurrency[name] });
    worker.on('error', (error) => log.warn({ err: error, queue: name }, 'a worker had trouble; it reconnects'));
    worker.on('failed', (job, error) =>
      log.error({ err: error, queue: name, job: job?.name, id: job?.id, attempt: job?.attemptsMade }, 'a job failed'),
    );
    return worker;
  });
  await Promise.all(workers.map((worker) => worker.waitUntilReady()));
  // Before anybody looks whether the rates are too old.
  await openFirstRun(context);
  await upsertSchedules(queues, env);
  log.info('worker ready');

  const stop = async () => {
    await Promise.all(workers.map((worker) => worker.close()));
    await relay.stop();
    await closeQueues(queues);
    await live.close();
    await database.close();
    log.info('worker stopped');
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop());
}

await start();
