import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { User } from '#domain/accounts/account.entity';
import { createUser } from '#domain/accounts/account.repository';
import { openDatabase } from '#domain/database';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { overTcp } from '../../infra/testing/database-urls.ts';
import { createTestUser } from '../../testing/accounts.ts';
import { testEmail, testMoment } from '../../testing/transfers.ts';
import { Database } from './database.ts';

const poolMax = 3;
let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.url, { poolMax });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const person = (email: string) => ({
  email,
  name: 'Ana',
  passwordHash: 'none',
  termsAcceptedAt: testMoment,
  at: testMoment,
});

test('a URL that asks for TLS connects to no server without it', async () => {
  const url = overTcp(testDatabase.url);
  url.searchParams.set('sslmode', 'verify-full');
  const other = await openDatabase(url.href, { poolMax });
  await expect(other.fork().execute('select 1')).rejects.toThrow('does not support SSL');
  await other.close();
});

describe('a transaction', () => {
  test('that throws writes nothing and does not wake the relay', async () => {
    const listener = vi.fn();
    database.onCommit(listener);
    const email = testEmail();
    const failing = database.transaction(async (em) => {
      await createUser(em, person(email));
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await database.fork().count(User, { email })).toBe(0);
    expect(listener).not.toHaveBeenCalled();
  });

  test('wakes the relay after its commit, when others can see its rows', async () => {
    const email = testEmail();
    const seen = Promise.withResolvers<number>();
    database.onCommit(() => database.fork().count(User, { email }).then(seen.resolve, seen.reject));
    await database.transaction((em) => createUser(em, person(email)));
    expect(await seen.promise).toBe(1);
    database.onCommit(() => {});
  });

  test('that the database refuses at commit leaves its connection usable', async () => {
    for (let round = 0; round <= poolMax; round++) {
      const orphan = database.transaction((em) =>
        em.execute(
          `insert into rate (currency, rate, set_by_id, created_at) values ('USD', 1, gen_random_uuid(), now())`,
        ),
      );
      await expect(orphan).rejects.toThrow('foreign key');
    }
    expect(await database.fork().execute('select 1 as one')).toEqual([{ one: 1 }]);
  });
});

test('times and dates are read as they were written, whatever the time zone of the machine', async () => {
  const zone = process.env.TZ;
  try {
    for (const TZ of ['America/La_Paz', 'Asia/Kolkata', 'UTC']) {
      process.env.TZ = TZ;
      const birthDate = '2000-02-29';
      const { id } = await database.transaction((em) => createUser(em, { ...person(testEmail()), birthDate }));
      const found = await database.fork().findOneOrFail(User, { id });
      expect(found).toMatchObject({ birthDate, createdAt: testMoment });
      const [{ utc }] = await database
        .fork()
        .execute<[{ utc: string }]>(
          `select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as utc from app_user where id = ?`,
          [id],
        );
      expect(utc).toBe(testMoment.toISOString());
    }
  } finally {
    process.env.TZ = zone;
  }
});

describe('a connection that is cut', () => {
  const cutMyself = 'select pg_terminate_backend(pg_backend_pid())';
  const works = async () => expect(await database.fork().execute('select 1 as one')).toEqual([{ one: 1 }]);

  // More iterations than the pool has connections: any leaked connection would exhaust it.
  test('inside a transaction frees its place in the pool', async () => {
    for (let round = 0; round <= poolMax; round++) {
      await expect(database.transaction((em) => em.execute(cutMyself))).rejects.toThrow();
    }
    await works();
  });

  test('during a single query frees its place in the pool', async () => {
    for (let round = 0; round <= poolMax; round++) {
      await expect(database.fork().execute(cutMyself)).rejects.toThrow();
    }
    await works();
  });

  test('while idle, or between statements, or all at once, is replaced by a new one', async () => {
    for (let round = 0; round < 3; round++) {
      const inTransaction = Array.from({ length: poolMax - 1 }, () => Promise.withResolvers<void>());
      const cut = Promise.withResolvers<void>();
      const transactions = inTransaction.map((begun) =>
        database.transaction(async (em) => {
          await em.execute('select 1');
          begun.resolve();
          await cut.promise;
          await createUser(em, person(testEmail()));
        }),
      );
      await Promise.all(inTransaction.map((begun) => begun.promise));
      await testDatabase.asOwner(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      cut.resolve();
      const results = await Promise.allSettled(transactions);
      expect(results.map(({ status }) => status)).toEqual(inTransaction.map(() => 'rejected'));
    }
    await Promise.all(Array.from({ length: poolMax * 2 }, () => createTestUser(database)));
  });

  test('does not keep the pool from being closed', async () => {
    const other = await openDatabase(testDatabase.url, { poolMax: 1 });
    await expect(other.transaction((em) => em.execute(cutMyself))).rejects.toThrow();
    await other.close();
  });
});

test('every connection has time limits for statements, locks and idle transactions, unless it migrates', async () => {
  const read = async (of: Database) => {
    const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
    const values: Record<string, string>[] = [];
    for (const name of names) values.push(...(await of.fork().execute<Record<string, string>[]>(`show ${name}`)));
    return values.map((row) => Object.values(row)[0]);
  };
  expect(await read(database)).toEqual(['30s', '10s', '1min']);
  const migrating = await openDatabase(testDatabase.url, { poolMax: 1, withoutTimeouts: true });
  expect(await read(migrating)).toEqual(['0', '0', '0']);
  await migrating.close();
});

test('opening a database whose server is not there fails at once', async () => {
  const asking = openDatabase('postgresql://postgres@127.0.0.1:9/x').then((missing) =>
    missing
      .fork()
      .execute('select 1')
      .finally(() => missing.close()),
  );
  await expect(asking).rejects.toThrow('ECONNREFUSED');
});
