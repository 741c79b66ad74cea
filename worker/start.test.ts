import { Redis } from 'ioredis';
import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDatabase } from '#domain/database';
import { readWorkerConfiguration } from '#platform/configuration/worker';
import type { Database } from '#platform/database/database';
import { addJob } from '#platform/outbox/outbox';
import { Relay } from '#platform/outbox/relay';
import type { RunningProcess } from '#platform/process';
import { testEnvironment } from '../infra/testing/environment.ts';
import { cutConnections, onEveryQueueBackend, type QueueServices } from '../infra/testing/redis.ts';
import { openTestQueues, type TestQueues } from '../platform/testing/queues.ts';
import { Schedules } from './schedules.ts';
import { startWorker } from './start.ts';

/** What README promises an operator: the most connections of one worker. */
const connectionsMax = 30;
const log = pino({ level: 'silent' });

onEveryQueueBackend('a worker', (backend, start) => {
  let services: QueueServices;
  let worker: RunningProcess;
  let queues: TestQueues;
  let database: Database;
  let relay: Relay;

  beforeAll(async () => {
    services = await start();
    const env = readWorkerConfiguration({
      ...testEnvironment,
      DATABASE_URL: services.database.url,
      REDIS_URL: services.redisUrl ?? '',
    });
    worker = await startWorker(env, log);
    queues = await openTestQueues({ databaseUrl: services.database.url, redisUrl: services.redisUrl });
    database = await openDatabase(services.database.url, { poolMax: 1 });
    relay = new Relay(database, queues.queues, async () => {}, log);
    relay.start();
  });
  afterAll(async () => {
    await worker?.close();
    await relay?.stop();
    await queues?.close();
    await database?.close();
    await services?.close();
  });

  const completed = () => queues.queues.maintenance.getCompletedCount();

  test('takes up a job of a process that died after its commit', async () => {
    const before = await completed();
    const other = await openDatabase(services.database.url, { poolMax: 1 });
    await other.transaction(async (em) => addJob(em, 'purge-expired', {}));
    await other.close();
    await expect.poll(completed, { timeout: 30_000, interval: 20 }).toBeGreaterThan(before);
  });

  test('continues with its queues after every connection was cut', async () => {
    await cutConnections(services);
    // The first try may meet a dead connection.
    const retried = <Result>(work: () => Promise<Result>) => vi.waitFor(work, { timeout: 10_000, interval: 20 });
    const before = await retried(completed);
    await retried(() => database.transaction(async (em) => addJob(em, 'purge-expired', {})));
    await expect.poll(() => retried(completed), { timeout: 15_000, interval: 20 }).toBeGreaterThan(before);
  });

  test('restores every schedule when the queues come back empty', async () => {
    const names = async () => {
      const all = await Promise.all(Object.values(queues.queues).map((queue) => queue.getJobSchedulers()));
      return all
        .flat()
        .map(({ key }) => key)
        .sort();
    };
    const known = ['open-rate-run', 'purge-expired', 'reconcile-books', 'sweep-all', 'sweep-rate-changes'];
    expect(await names()).toEqual(known);
    if (services.redisUrl) {
      const redis = new Redis(services.redisUrl);
      await redis.flushdb();
      redis.disconnect();
    } else {
      for (const queue of Object.values(queues.queues)) {
        for (const { key } of await queue.getJobSchedulers()) await queue.removeJobScheduler(key);
      }
    }
    expect(await names()).toEqual([]);
    const schedules = new Schedules(queues.queues, { sweepEveryMs: 30_000, ratesEveryMs: 7_200_000, log });
    expect((await schedules.restore()).sort()).toEqual(known);
    expect(await names()).toEqual(known);
    expect(await schedules.restore()).toEqual([]);
  });

  test(`keeps at most ${connectionsMax} connections to PostgreSQL while it is busy`, async () => {
    await database.transaction(async (em) => {
      for (let i = 0; i < 50; i += 1) addJob(em, 'fire-rate-alerts', {});
    });
    // The first run of the rate sources may add another job.
    const completed = () => queues.queues['rate-alerts'].getCompletedCount();
    await expect.poll(completed, { timeout: 15_000, interval: 20 }).toBeGreaterThanOrEqual(50);
    const client = new Client({ connectionString: services.database.url });
    await client.connect();
    const { rows } = await client.query<{ count: number }>(
      'select count(*)::int from pg_stat_activity where datname = current_database()',
    );
    await client.end();
    // Of the count, this client, the test's database and the test's queues (at most 7) are not the worker's.
    const others = 2 + (backend === 'postgres' ? 7 : 0);
    expect(rows[0]?.count).toBeLessThanOrEqual(connectionsMax + others);
  });

  test('refuses to start, without leaving connections, when the database cannot be reached', async () => {
    const env = readWorkerConfiguration({
      ...testEnvironment,
      DATABASE_URL: 'postgresql://chasqui@127.0.0.1:9/chasqui',
      REDIS_URL: '',
    });
    await expect(startWorker(env, log)).rejects.toThrow(/ECONNREFUSED|connect/);
  });
});
