import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { queueNames } from '#core/contracts/jobs';
import { writeAudit } from '#domain/audit/audit.repository';
import { openDatabase } from '#domain/database';
import { connectMailServer } from '#domain/emails/mailer';
import { FiguresReader } from '#domain/monitoring/operating-figures';
import { connectBank } from '#domain/providers/bank';
import { connectWatchman } from '#domain/providers/watchman';
import { Collector } from '#domain/rate-sources/collector';
import type { WorkerConfiguration } from '#platform/configuration/worker';
import { openLiveSender } from '#platform/live/adapter';
import type { Logger } from '#platform/logging';
import type { RunningProcess } from '#platform/process';
import { connectQueues } from '#platform/queues/queues';
import { createStripe } from '#platform/stripe';
import { checkStripeRights } from '#platform/stripe-rights';
import { serveMetrics } from '#platform/telemetry/metrics-server';
import { serveHealth } from './health.ts';
import { WorkerLifecycle, WorkerModule, type WorkerParts } from './worker.module.ts';

/** Most connections to the product's tables; the queues and sockets have their own. See README, "Connections". */
const databaseConnections = 8;

/** Opens everything the handlers need and takes jobs. @throws when Stripe's key has not its rights, or the database or the queues cannot be reached. */
export async function startWorker(env: WorkerConfiguration, log: Logger): Promise<RunningProcess> {
  const opened: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const one of opened.splice(0).reverse()) await one();
  };
  try {
    // Loaded only if configured.
    const tracing =
      env.tracing && (await import('#platform/telemetry/start-tracing')).startTracing('worker', env.tracing);
    if (tracing) opened.push(() => tracing.close());
    const stripe = createStripe(env.stripe);
    await checkStripeRights(stripe, 'worker', env.stripe);
    const database = await openDatabase(env.databaseUrl, {
      poolMax: databaseConnections,
      personalDataKeys: env.personalDataKeys,
    });
    opened.push(() => database.close());
    await database.fork().execute('select 1');
    await database.personalData.load();
    const connection = connectQueues(env, { workers: queueNames.length, telemetry: tracing?.telemetry });
    opened.push(() => connection.close());
    const live = openLiveSender(env, log, database.personalData);
    opened.push(() => live.close());
    const mailer = connectMailServer(env.mail);
    opened.push(async () => mailer?.close());
    const context: WorkerParts['context'] = {
      database,
      stripe,
      bank: connectBank(env.bank),
      rateSources: new Collector({
        sourcesUrl: env.rates.sourcesUrl,
        publicUrl: env.publicUrl,
        // Simulated sites need no time between two requests.
        ...(env.rates.sourcesUrl === undefined ? {} : { pause: async () => {} }),
      }),
      watchman: env.watchmanUrl === null ? null : connectWatchman(env.watchmanUrl),
      mailer,
      log,
      publicUrl: env.publicUrl,
      company: env.company,
      fee: env.fee,
      sweepEveryMs: env.sweepEveryMs,
      correctAccountMs: env.correctAccountMs,
      prices: env.prices,
      statementFormat: env.bank.statementFormat,
      ratesEveryMs: env.rates.everyMs,
      pauseAfterMs: env.rates.pauseAfterMs,
      rateMaxStepBasisPoints: env.rates.maxStepBasisPoints,
      limits: env.limits,
      declines: env.declines,
      reviewTwoPersonsUsdMinor: env.reviewTwoPersonsUsdMinor,
      newDeviceUsdMinor: env.newDeviceUsdMinor,
      webhooksAnywhere: env.webhooksAnywhere,
      push: env.push,
      now: () => new Date(),
    };
    const app = await NestFactory.createApplicationContext(WorkerModule.register({ context, connection, live }), {
      abortOnError: false,
      logger: false,
    });
    opened.push(() => app.close());
    const lifecycle = app.get(WorkerLifecycle);
    if (env.healthPort !== undefined) {
      const health = await serveHealth(env.healthPort, database, lifecycle);
      opened.push(() => health.close());
    }
    if (env.metrics) {
      const figures = new FiguresReader(database, context);
      const refresh = async () => void (await Promise.all([figures.show(), lifecycle.showQueues()]));
      const metrics = await serveMetrics(env.metrics, refresh, log);
      opened.push(() => metrics.close());
    }
    await database.transaction((em) => writeAudit(em, 'process_started', startOf(env)));
    log.info('worker ready');
    return { close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Audit entry of a start: the settings for money, without secrets. */
function startOf(env: WorkerConfiguration) {
  const { publicUrl, fee, limits, prices, correctAccountMs, sweepEveryMs, reviewTwoPersonsUsdMinor } = env;
  const { everyMs, pauseAfterMs, maxStepBasisPoints } = env.rates;
  const bank = { apiUrl: new URL(env.bank.apiUrl).origin, statementFormat: env.bank.statementFormat };
  const settings = { publicUrl, fee, limits, prices, correctAccountMs, sweepEveryMs, reviewTwoPersonsUsdMinor, bank };
  const rates = { everyMs, pauseAfterMs, maxStepBasisPoints };
  return { subject: 'worker', detail: { ...settings, rates, screensNames: env.watchmanUrl !== null } };
}
