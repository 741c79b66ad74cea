import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { PasswordCost } from '#domain/accounts/passwords';
import { writeAudit } from '#domain/audit/audit.repository';
import { openDatabase } from '#domain/database';
import { FiguresReader } from '#domain/monitoring/operating-figures';
import type { ApiConfiguration } from '#platform/configuration/api';
import type { Database } from '#platform/database/database';
import { openLiveAdapter } from '#platform/live/adapter';
import type { Logger } from '#platform/logging';
import { connectQueues } from '#platform/queues/queues';
import { createStripe } from '#platform/stripe';
import { checkStripeRights } from '#platform/stripe-rights';
import { serveMetrics } from '#platform/telemetry/metrics-server';
import type { RateLimitPoints } from './access/rate-limit-rules.ts';
import { openRateLimits } from './access/rate-limits.ts';
import { Closing } from './http/closing.ts';
import { createServer } from './server.ts';

/** A running api. */
export interface Api {
  readonly port: number;
  readonly database: Database;
  /** Takes no new work, finishes what is in flight, and releases all resources. */
  close(): Promise<void>;
}

export interface ApiOptions {
  /** Points of some rate limits in place of the table's. */
  readonly rateLimitPoints?: RateLimitPoints;
  readonly rateRunWaitMs?: number;
  /** Of passwords, in place of the usual one. */
  readonly passwordCost?: PasswordCost;
  /** Where the built web app is. */
  readonly webDirectory?: string;
}

/** Most connections to the product's tables; queues and sockets have their own. See README, "Connections". */
const databaseConnections = 8;

/** From api/ in the sources and from dist/api/ when built. */
const builtWeb = fileURLToPath(
  new URL(import.meta.url.includes('/dist/api/') ? '../web' : '../dist/web', import.meta.url),
);

/** Opens everything the api needs and listens. @throws when Stripe's key has not its rights, the database is not reachable or the port is taken. */
export async function startApi(env: ApiConfiguration, log: Logger, options: ApiOptions = {}): Promise<Api> {
  const opened: (() => Promise<unknown>)[] = [];
  const closeAll = async () => {
    for (const close of opened.splice(0).reverse()) await close();
  };
  try {
    // Loaded only if configured.
    const tracing = env.tracing && (await import('#platform/telemetry/start-tracing')).startTracing('api', env.tracing);
    if (tracing) opened.push(() => tracing.close());
    const stripe = createStripe(env.stripe);
    await checkStripeRights(stripe, 'api', env.stripe);
    const database = await openDatabase(env.databaseUrl, {
      poolMax: databaseConnections,
      replica: env.replicaUrl === undefined ? undefined : { url: env.replicaUrl, onChange: tellOf(log) },
      personalDataKeys: env.personalDataKeys,
    });
    opened.push(() => database.close());
    await database.fork().execute('select 1');
    await database.personalData.load();
    const queueConnection = connectQueues(env, { telemetry: tracing?.telemetry });
    opened.push(() => queueConnection.close());
    const live = openLiveAdapter(env, log, database.personalData);
    opened.push(() => live.close());
    const { rateLimitPoints, rateRunWaitMs, passwordCost, webDirectory = builtWeb } = options;
    const limitStore = { pool: await database.pool(), redisUrl: env.redisUrl };
    const rateLimits = openRateLimits(limitStore, log, rateLimitPoints, env.callLimitFactor);
    opened.push(() => rateLimits.close());
    const stopping = new AbortController();
    const parts = {
      env,
      stopping: stopping.signal,
      database,
      log,
      queueConnection,
      stripe,
      rateLimits: rateLimits.limits,
      ...(rateRunWaitMs !== undefined && { rateRunWaitMs }),
      ...(passwordCost && { passwordCost }),
    };
    const app = await createServer({ ...parts, live, webDirectory });
    if (env.metrics) {
      const figures = new FiguresReader(database, env.rates);
      const metrics = await serveMetrics(env.metrics, () => figures.show(), log);
      opened.push(() => metrics.close());
    }
    const closing = new Closing(app.getHttpServer(), stopping);
    opened.push(async () => {
      if (app.getHttpServer().listening) await closing.run(env.drainMs);
      await app.close();
    });
    await (env.host === undefined ? app.listen(env.port) : app.listen(env.port, env.host));
    await database.transaction((em) => writeAudit(em, 'process_started', startOf(env)));
    return { port: (app.getHttpServer().address() as AddressInfo).port, database, close: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Logs when the replica is no longer used, and when it is used again. */
const tellOf = (log: Logger) => (reason: string | null) =>
  reason === null ? log.info('the replica is read from again') : log.warn({ reason }, 'the replica is not read from');

/** Audit entry of a start: the settings for money and access, without secrets. */
function startOf(env: ApiConfiguration) {
  const { production, mode, publicUrl, trustedProxies, fee, limits, desk, screensNames, quoteTtlMs } = env;
  const { everyMs, pauseAfterMs, maxStepBasisPoints, marginBasisPoints } = env.rates;
  const rates = { everyMs, pauseAfterMs, maxStepBasisPoints, marginBasisPoints };
  const sells = { wallet: env.crypto.walletAddress ?? null };
  const settings = { production, mode, publicUrl, trustedProxies, fee, limits, desk, screensNames, quoteTtlMs };
  return { subject: 'api', detail: { ...settings, rates, crypto: sells, webhooksAnywhere: env.webhooksAnywhere } };
}
