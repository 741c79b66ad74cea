import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import { nodeProgram, root } from '../paths.ts';
import { startTestCluster, testSettings } from './cluster.ts';
import { databaseUrls } from './database-urls.ts';
import { compileCache, testEnvironment } from './environment.ts';
import type { RedisService, TestServices } from './provided.ts';

const templateName = 'chasqui_template';
/**
 * Each database lives for a few seconds, so autovacuum would only waste time. The server never crashes, so commits need
 * not be flushed to disk.
 */
const sharedSettings = { autovacuum: 'off', synchronous_commit: 'off' };

/** The shared services of a test run; `stop` leaves nothing behind. */
export interface RunningServices {
  services: TestServices;
  stop: () => Promise<void>;
}

/**
 * Starts PostgreSQL with one migrated template database, and finds out where Redis is to come from:
 * `TEST_SERVICES=containers` takes both from Docker; else PostgreSQL is the embedded one and Redis is `REDIS_URL`,
 * or the `redis-server` program of this machine, or missing.
 */
export async function startServices(): Promise<RunningServices> {
  const inContainers = process.env.TEST_SERVICES === 'containers';
  const database = inContainers ? await postgresContainer() : await embeddedPostgres();
  try {
    const redis: RedisService = inContainers ? { kind: 'container' } : findRedis();
    await createTemplate(database.url);
    return {
      services: { databaseUrl: database.url, templateName, redis },
      stop: database.stop,
    };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

async function embeddedPostgres() {
  const { url, remove } = await startTestCluster(sharedSettings);
  return { url, stop: remove };
}

async function postgresContainer() {
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql');
  const flags = Object.entries({ ...testSettings, ...sharedSettings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const container = await new PostgreSqlContainer('postgres:18-alpine').withCommand(['postgres', ...flags]).start();
  return { url: container.getConnectionUri(), stop: async () => void (await container.stop()) };
}

/** Where Redis would come from on this machine, without Docker. */
export function findRedis(): RedisService {
  if (process.env.REDIS_URL) return { kind: 'server', url: process.env.REDIS_URL };
  return { kind: hasRedisProgram() ? 'program' : 'none' };
}

/** Whether this machine has a `redis-server`. */
export function hasRedisProgram(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

/** Test databases are copies of it. */
async function createTemplate(serverUrl: string) {
  await createMigratedDatabase(serverUrl, templateName);
  // A template with an open connection cannot be copied.
  await asSuperuser(serverUrl, `ALTER DATABASE ${templateName} ALLOW_CONNECTIONS false`);
}

/** Migrated by the very program that migrates in production; its connection strings as api and worker, and as its owner. */
export async function createMigratedDatabase(
  serverUrl: string,
  name: string,
): Promise<{ url: string; ownerUrl: string }> {
  await createDatabase(serverUrl, name);
  const urls = databaseUrls(serverUrl, name);
  await migrateDatabase(urls);
  return urls;
}

/** An empty one. @throws when there is one of that name. */
export async function createDatabase(serverUrl: string, name: string): Promise<void> {
  await asSuperuser(serverUrl, `CREATE DATABASE ${name}`);
}

/** By the very program that migrates in production. */
export async function migrateDatabase(urls: { url: string; ownerUrl: string }): Promise<void> {
  await promisify(execFile)(nodeProgram, ['tools/commands/migrate.ts'], {
    cwd: root,
    env: {
      ...process.env,
      ...compileCache,
      ...testEnvironment,
      DATABASE_URL: urls.url,
      DATABASE_OWNER_URL: urls.ownerUrl,
    },
  });
}

async function asSuperuser(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
