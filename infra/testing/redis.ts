import { Redis } from 'ioredis';
import pg from 'pg';
import { describe, inject } from 'vitest';
import { createTestDatabase, type TestDatabase } from './database.ts';
import type {} from './provided.ts';
import { TestRedisServer } from './redis-server.ts';

/** The default number of databases of a Redis; the first one stores our claims. */
const databases = 16;
const claimSeconds = 3_600;
const claim = (number: number) => `chasqui:test-database:${number}`;
const used = 'chasqui:test-databases-used';

/** A Redis that holds nothing yet and that no other test uses. */
export interface TestRedis {
  url: string;
  stop: () => Promise<void>;
}

/** Where queues live in one run of a test: always a database, and a Redis when that is the back end. */
export interface QueueServices {
  database: TestDatabase;
  /** Undefined: the queues are in PostgreSQL. */
  redisUrl: string | undefined;
  close: () => Promise<void>;
}

/**
 * Declares the same tests once per queue back end. `start` gives a fresh database (and Redis); without a Redis its
 * tests are reported as skipped.
 */
export function onEveryQueueBackend(
  name: string,
  body: (backend: 'postgres' | 'redis', start: () => Promise<QueueServices>) => void,
): void {
  describe(`${name} [colas en PostgreSQL]`, () => body('postgres', () => startQueueServices(false)));
  const available = inject('services').redis.kind !== 'none';
  describe.skipIf(!available)(`${name} [colas en Redis]`, () => body('redis', () => startQueueServices(true)));
}

/** Breaks every connection to the database and the Redis of a test, as a network does that fails for a moment. */
export async function cutConnections({ database, redisUrl }: QueueServices): Promise<void> {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
    [database.name],
  );
  await client.end();
  if (redisUrl === undefined) return;
  const redis = new Redis(redisUrl);
  // Other tests may use other databases of the same server.
  const clients = String(await redis.call('CLIENT', 'LIST', 'TYPE', 'normal')).split('\n');
  for (const client of clients.filter((line) => line.includes(` db=${redis.options.db} `))) {
    await redis.call('CLIENT', 'KILL', 'ID', /^id=(\d+) /.exec(client)?.[1] ?? '', 'SKIPME', 'yes');
  }
  redis.disconnect();
}

/** A fresh database, and a Redis if requested. Throws if none is available. */
export async function startQueueServices(withRedis: boolean): Promise<QueueServices> {
  const database = await createTestDatabase();
  const redis = withRedis ? await createTestRedis() : undefined;
  return {
    database,
    redisUrl: redis?.url,
    close: async () => {
      await redis?.stop();
      await database.drop();
    },
  };
}

/** Throws without a Redis: check `inject('services').redis` first, or use `onEveryQueueBackend`. */
export async function createTestRedis(): Promise<TestRedis> {
  const { redis } = inject('services');
  if (redis.kind === 'program') return startRedis();
  if (redis.kind === 'container') return startContainer();
  if (redis.kind === 'server') return claimDatabase(redis.url);
  throw new Error('No Redis: set REDIS_URL or install redis-server');
}

async function startRedis(): Promise<TestRedis> {
  const server = await TestRedisServer.start();
  return { url: server.url, stop: () => server.close() };
}

/** A server for each test: messages of one reach all databases of a server, and a test that ends its clients ends all. */
async function startContainer(): Promise<TestRedis> {
  const { RedisContainer } = await import('@testcontainers/redis');
  const container = await new RedisContainer('redis:8-alpine').start();
  return { url: container.getConnectionUrl(), stop: async () => void (await container.stop()) };
}

/**
 * One of the numbered databases of a Redis that others use too; database 0 says which are taken, and in which killed runs
 * left data. One that holds what no test wrote is left alone.
 */
async function claimDatabase(serverUrl: string): Promise<TestRedis> {
  const client = new Redis(serverUrl, { db: 0, maxRetriesPerRequest: 1 });
  try {
    for (let number = 1; number < databases; number += 1) {
      // The claim of a killed run expires.
      if (!(await client.set(claim(number), process.pid, 'EX', claimSeconds, 'NX'))) continue;
      const isOurs = await client.sismember(used, number);
      await client.select(number);
      if (!isOurs && (await client.dbsize()) > 0) {
        await client.select(0);
        continue;
      }
      await client.flushdb();
      await client.select(0);
      await client.sadd(used, number);
      const url = new URL(serverUrl);
      url.pathname = `/${number}`;
      return { url: url.href, stop: () => giveBack(url.href, number) };
    }
  } finally {
    client.disconnect();
  }
  throw new Error(
    'All databases of the Redis at REDIS_URL hold data of others, or are taken by tests that run or were killed within the hour',
  );
}

/** Leaves it empty, as it was found. */
async function giveBack(url: string, number: number): Promise<void> {
  const client = new Redis(url, { maxRetriesPerRequest: 1 });
  await client.flushdb();
  await client.select(0);
  await client.srem(used, number);
  await client.del(claim(number));
  client.disconnect();
}
