import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterEach, expect, inject, test } from 'vitest';
import { testUser } from '#core/contracts/test-user';
import { User } from '#domain/accounts/account.entity';
import { createUser } from '#domain/accounts/account.repository';
import { hashPassword, verifyPassword } from '#domain/accounts/passwords';
import { openDatabase } from '#domain/database';
import { PasswordReset } from '#domain/sign-in/password-reset.entity';
import { Session } from '#domain/sign-in/session.entity';
import type { Database } from '#platform/database/database';
import { root } from '../infra/paths.ts';
import { createTestDatabase, type TestDatabase } from '../infra/testing/database.ts';
import { compileCache, realEnvironment, testEnvironment } from '../infra/testing/environment.ts';

// The built migration as `npm run migrate` starts it. What each command does: tools/commands/commands.test.ts.

const opened: { database: Database; drop: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const { database, drop } of opened.splice(0)) {
    await database.close();
    await drop();
  }
});

/** Runs the migration in its own process and returns its output. @throws with the exit code and stderr. */
async function migrate(
  { url, ownerUrl }: Pick<TestDatabase, 'url' | 'ownerUrl'>,
  environment: NodeJS.ProcessEnv = {},
): Promise<string> {
  const urls = { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl };
  const env = { ...process.env, ...compileCache, ...testEnvironment, LOG_LEVEL: 'info', ...urls, ...environment };
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'dist/tools/commands/migrate.js')], {
    env,
  });
  return stdout;
}

async function open({ url, drop }: Pick<TestDatabase, 'url' | 'drop'>): Promise<Database> {
  const database = await openDatabase(url, { poolMax: 2 });
  opened.push({ database, drop });
  return database;
}

/** A database without migrations. */
async function createEmptyDatabase(): Promise<Omit<TestDatabase, 'asOwner'>> {
  const { name, drop, url, ownerUrl } = await createTestDatabase();
  await drop();
  const client = new pg.Client({ connectionString: inject('services').databaseUrl });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return { name, url, ownerUrl, drop };
}

const admin = { ADMIN_EMAIL: 'Jefa@Chasqui.test', ADMIN_PASSWORD: 'una clave larga' };

test('migrate brings an empty database up to date, also when two start at once', async () => {
  const empty = await createEmptyDatabase();
  const database = await open(empty);
  // The second waits for the first, and then has nothing left to do.
  const outputs = await Promise.all([migrate(empty, admin), migrate(empty, admin)]);
  for (const output of outputs) expect(output).toContain('database ready');
  const [found, ...more] = await database.fork().findAll(User);
  expect(more).toEqual([]);
  expect(found).toMatchObject({ email: 'jefa@chasqui.test', role: 'admin' });
  expect(await verifyPassword(admin.ADMIN_PASSWORD, found?.passwordHash ?? '')).toBe(true);
});

test('migrate outside the sandbox locks the accounts that a sandbox left and ends their sessions, and no others', async () => {
  const testDatabase = await createTestDatabase();
  const database = await open(testDatabase);
  const at = new Date();
  const expiresAt = new Date(at.getTime() + 60_000);
  const password = 'clave de demostración';
  const passwordHash = await hashPassword(password);
  const left = ['admin2@chasqui.test', 'admin@chasqui.test', 'demo@chasqui.test', testUser.email];
  await database.transaction(async (em) => {
    for (const email of [...left, 'jefa@chasqui.example']) {
      const account = { email, name: 'Ana', passwordHash, role: 'admin', termsAcceptedAt: null, at } as const;
      const { id: userId } = await createUser(em, account);
      em.create(Session, { id: randomUUID(), userId, tokenHash: userId, createdAt: at, expiresAt, endedAt: null });
      em.create(PasswordReset, { id: randomUUID(), userId, createdAt: at, expiresAt });
    }
  });
  // The operator's own admin may have an address of the sandbox.
  const operator = { ...admin, ADMIN_EMAIL: 'admin2@chasqui.test' };

  const output = await migrate(testDatabase, { ...realEnvironment, ...operator });

  expect(output).toContain('accounts of an earlier sandbox are locked');
  const em = database.fork();
  for (const { id, email, role, passwordHash: hash } of await em.findAll(User)) {
    const usable = async (password: string) => verifyPassword(password, hash);
    const open = { userId: id, endedAt: null };
    const found = {
      role,
      old: await usable(password),
      operator: await usable(admin.ADMIN_PASSWORD),
      sessions: await em.count(Session, open),
      resets: await em.count(PasswordReset, open),
    };
    const locked = { role: 'user', old: false, operator: false, sessions: 0, resets: 0 };
    const untouched = { role: 'admin', old: true, operator: false, sessions: 1, resets: 1 };
    const takenOver = { ...locked, role: 'admin', operator: true };
    if (email === 'jefa@chasqui.example') expect([email, found]).toEqual([email, untouched]);
    else expect([email, found]).toEqual([email, email === operator.ADMIN_EMAIL ? takenOver : locked]);
  }
  expect(await em.count(User)).toBe(5);
});

test('migrate refuses a database of an earlier version in one sentence, with exit code 1', async () => {
  const testDatabase = await createTestDatabase();
  await testDatabase.asOwner(`update migration set name = '2026-11-21-foundation'`);
  const stderr = expect.stringMatching(/^The newest migration of this database is "2026-11-21-foundation": .*\n$/);
  await expect(migrate(testDatabase)).rejects.toMatchObject({ code: 1, stderr });
  await testDatabase.drop();
});

test('a migration that cannot begin says why in one sentence and ends with exit code 1', async () => {
  const testDatabase = await createTestDatabase();
  await testDatabase.drop();
  const stderr = expect.stringMatching(/^La base de datos de DATABASE_URL no existe en .*\n$/);
  await expect(migrate(testDatabase)).rejects.toMatchObject({ code: 1, stderr });
});
