import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { databaseUrls } from './database-urls.ts';
import type {} from './provided.ts';

/** A database of one test file: a copy of the migrated template. */
export interface TestDatabase {
  name: string;
  /** As the role that api and worker connect as. */
  url: string;
  /** As the owner of its tables, for actions that the product's role may not take. */
  ownerUrl: string;
  asOwner: (statement: string) => Promise<void>;
  /** Drops it, also under open connections. It would vanish with the test run anyway. */
  drop: () => Promise<void>;
}

/** A copy of 10 MB. Call it in `beforeAll` (or per test where tests would disturb each other). */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { databaseUrl, templateName } = inject('services');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await execute(databaseUrl, `CREATE DATABASE ${name} TEMPLATE ${templateName} STRATEGY FILE_COPY`);
  const urls = databaseUrls(databaseUrl, name);
  return {
    name,
    ...urls,
    asOwner: (statement) => execute(urls.ownerUrl, statement),
    drop: () => execute(databaseUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function execute(connectionString: string, statement: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
