import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '#domain/database';
import { createTestDatabase, type TestDatabase } from '../../../infra/testing/database.ts';
import { Database } from '../database.ts';
import { migrations } from './all.ts';

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.ownerUrl, { poolMax: 2 });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

/** What belongs to the database alone: guards written in SQL, and tables of the queues, of the socket adapter and of the rate limits. */
const onlyInSql = [
  /^set names /,
  /"bullmq"/,
  /^drop table if exists "(socket_io_attachments|rate_limit)" cascade$/,
  /^alter table "\w+" drop constraint "\w+"$/,
  /^drop (trigger|function|view) /,
  /^drop index "\w+"$/,
];

/** What the entities would change in the migrated database. */
async function differences(of: Database): Promise<string[]> {
  const sql = await of.orm.schema.getUpdateSchemaSQL({ safe: false });
  const statements = sql.split(';').map((statement) => statement.trim());
  return statements.filter((statement) => statement !== '' && !onlyInSql.some((known) => known.test(statement)));
}

describe('the migrated database', () => {
  test('has the tables, columns, keys, indexes and enumerations of the entities', async () => {
    expect(await differences(database)).toEqual([]);
  });

  test('would not pass with anything of these amiss', async () => {
    const broken = await createTestDatabase();
    const other = await openDatabase(broken.ownerUrl, { poolMax: 1 });
    try {
      await other.fork().execute(`
        alter table app_user alter column name type varchar(10);
        alter table app_user drop constraint app_user_email_unique;
        alter table transfer add column forgotten text;
        alter table transfer drop constraint transfer_state_check;
        alter table recipient drop column city;
        alter table outbox alter column data drop not null;
        drop index transfer_state_changed_at;
      `);
      const found = (await differences(other)).join('\n');
      for (const amiss of ['name', 'app_user_email_unique', 'forgotten', 'transfer_state_check', 'city', 'data']) {
        expect(found).toContain(`"${amiss}"`);
      }
      expect(found).toContain('transfer_state_changed_at');
    } finally {
      await other.close();
      await broken.drop();
    }
  });

  test('has run every migration, and running them again changes nothing', async () => {
    const executed = await database.orm.migrator.getExecuted();
    expect(executed.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name));
    expect(await database.orm.migrator.up()).toEqual([]);
  });

  test('names every migration once, in order', () => {
    const names = migrations.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)].sort());
  });
});
