import type { JobContext } from '#domain/jobs/job-context';
import { connectBank } from '#domain/providers/bank';
import { connectWatchman } from '#domain/providers/watchman';
import { Collector } from '#domain/rate-sources/collector';
import { readWorkerConfiguration, type WorkerConfiguration } from '#platform/configuration/worker';
import type { Database } from '#platform/database/database';
import { createLogger } from '#platform/logging';
import { createStripe } from '#platform/stripe';
import { testEnvironment } from '../infra/testing/environment.ts';

export interface TestContextOptions {
  readonly databaseUrl: string;
  /** Added to the test environment, such as the URLs of simulators. */
  readonly env?: Record<string, string>;
  readonly now: () => Date;
  /** Timeout of one answer of a rate source, in ms. */
  readonly timeoutMs?: number;
}

/** A job context with the test's clock, no e-mail and no pause between two requests to a rate source. */
export function createTestContext(
  database: Database,
  { databaseUrl, env, now, timeoutMs }: TestContextOptions,
): { context: JobContext; configuration: WorkerConfiguration } {
  const configuration = readWorkerConfiguration({ ...testEnvironment, DATABASE_URL: databaseUrl, ...env });
  const { stripe, bank, rates, publicUrl, sweepEveryMs, correctAccountMs, prices } = configuration;
  const context: JobContext = {
    database,
    stripe: createStripe(stripe),
    bank: connectBank(bank),
    rateSources: new Collector({
      sourcesUrl: rates.sourcesUrl,
      publicUrl,
      now,
      pause: async () => {},
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    }),
    watchman:
      configuration.watchmanUrl === null
        ? null
        : connectWatchman(configuration.watchmanUrl, { waitMs: timeoutMs ?? 1000 }),
    mailer: null,
    log: createLogger('worker', 'silent'),
    publicUrl,
    company: configuration.company,
    fee: configuration.fee,
    sweepEveryMs,
    correctAccountMs,
    prices,
    statementFormat: bank.statementFormat,
    ratesEveryMs: rates.everyMs,
    pauseAfterMs: rates.pauseAfterMs,
    rateMaxStepBasisPoints: rates.maxStepBasisPoints,
    reviewTwoPersonsUsdMinor: configuration.reviewTwoPersonsUsdMinor,
    newDeviceUsdMinor: configuration.newDeviceUsdMinor,
    // One sender makes all transfers of a test.
    declines: configuration.declines,
    limits: { dayUsdMinor: 10n ** 12n, monthUsdMinor: 10n ** 12n },
    webhooksAnywhere: configuration.webhooksAnywhere,
    push: configuration.push,
    // The jobs of a test wait in the outbox, and no queue has them.
    queuedJobs: { has: async () => false },
    now,
  };
  return { context, configuration };
}
