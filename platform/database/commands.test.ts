import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterEach, expect, inject, test } from 'vitest';
import { testUser } from '#core/test-user';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { Database } from './database.ts';
import { verifyPassword } from './people.ts';
import { currentRates } from './rates.ts';
import { OutboxRow } from './schema/events.ts';
import { Recipient, User } from './schema/people.ts';
import { RateEntry } from './schema/rates.ts';
import { Transfer, TransferStep } from './schema/transfers.ts';

const opened: { database: Database; drop: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const { database, drop } of opened.splice(0)) {
    await database.close();
    await drop();
  }
});

/** Runs a command of this folder as `npm run` does, from the sources. */
async function run(
  command: 'migrate' | 'seed' | 'admin-create',
  url: string,
  environment: NodeJS.ProcessEnv = {},
  ...argv: string[]
): Promise<string> {
  const file = fileURLToPath(new URL(`${command}.ts`, import.meta.url));
  const env = { ...process.env, ...testEnvironment, LOG_LEVEL: 'info', DATABASE_URL: url, ...environment };
  return (await promisify(execFile)(process.execPath, ['--conditions=chasqui-source', file, ...argv], { env })).stdout;
}

async function open({ url, drop }: Pick<TestDatabase, 'url' | 'drop'>): Promise<Database> {
  const database = await Database.open(url, { poolMax: 2 });
  opened.push({ database, drop });
  return database;
}

/** A database nobody has migrated. */
async function createEmptyDatabase(): Promise<Pick<TestDatabase, 'url' | 'drop'>> {
  const { name, drop, url } = await createTestDatabase();
  await drop();
  const client = new pg.Client({ connectionString: inject('services').databaseUrl });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return { url, drop };
}

const admin = { ADMIN_EMAIL: 'Jefa@Chasqui.test', ADMIN_PASSWORD: 'una clave larga' };

test('migrate brings an empty database up to date, also when two start at once, and may be repeated', async () => {
  const empty = await createEmptyDatabase();
  const database = await open(empty);
  await Promise.all([run('migrate', empty.url, admin), run('migrate', empty.url, admin)]);
  expect(await run('migrate', empty.url, admin)).toContain('database ready');
  const [found, ...more] = await database.read().findAll(User);
  expect(more).toEqual([]);
  expect(found).toMatchObject({ email: 'jefa@chasqui.test', role: 'admin' });
  expect(await verifyPassword(admin.ADMIN_PASSWORD, found?.passwordHash ?? '')).toBe(true);
});

test('without a configured admin and a password for the demonstration nobody is made', async () => {
  const testDatabase = await createTestDatabase();
  const database = await open(testDatabase);
  await Promise.all([run('migrate', testDatabase.url), run('seed', testDatabase.url)]);
  expect(await database.read().count(User)).toBe(0);
  expect(await database.read().count(RateEntry)).toBe(0);
});

test('with keys of a real Stripe account the demonstration has no test user, whose password everybody knows', async () => {
  const testDatabase = await createTestDatabase();
  const database = await open(testDatabase);
  await run('seed', testDatabase.url, { DEMO_PASSWORD: 'clave de demostración', STRIPE_JS_URL: '' });
  const people = await database.read().findAll(User, { orderBy: { email: 'asc' } });
  expect(people.map(({ email }) => email)).toEqual(['admin2@chasqui.test', 'admin@chasqui.test', 'demo@chasqui.test']);
});

test('a further admin is made by hand, with a password that is told once', async () => {
  const testDatabase = await createTestDatabase();
  const database = await open(testDatabase);
  const create = (...argv: string[]) => run('admin-create', testDatabase.url, {}, ...argv);
  const password = /Contraseña: (\S+)/.exec(await create('Segunda@Chasqui.test', 'Luis Rojas'))?.[1] ?? '';
  expect(await create('segunda@chasqui.test')).toContain('ya administraba');
  const [made, ...more] = await database.read().findAll(User);
  expect(more).toEqual([]);
  expect(made).toMatchObject({ email: 'segunda@chasqui.test', name: 'Luis Rojas', role: 'admin' });
  expect(await verifyPassword(password, made?.passwordHash ?? '')).toBe(true);
  await expect(create('nadie')).rejects.toThrow('Escribe un correo');
});

test('seed tells the demonstration once, with balanced books and nothing left to do', async () => {
  const testDatabase = await createTestDatabase();
  const database = await open(testDatabase);
  const password = 'clave de demostración';
  const seed = () => run('seed', testDatabase.url, { DEMO_PASSWORD: password });
  await Promise.all([seed(), seed()]);
  await seed();

  const em = database.read();
  const people = await em.find(User, {}, { orderBy: { email: 'asc' } });
  expect(people.map(({ email, role }) => [email, role])).toEqual([
    ['admin2@chasqui.test', 'admin'],
    ['admin@chasqui.test', 'admin'],
    ['demo@chasqui.test', 'user'],
    [testUser.email, 'user'],
  ]);
  for (const { email, passwordHash } of people) {
    expect(await verifyPassword(email === testUser.email ? testUser.password : password, passwordHash)).toBe(true);
  }
  expect(await em.count(Recipient)).toBe(2);
  expect((await currentRates(em, { now: new Date(), pauseAfterMs: 1 }))?.EUR.source).toBe('admin');

  const transfers = await em.find(Transfer, {}, { orderBy: { createdAt: 'asc' } });
  expect(transfers.map(({ state }) => state)).toEqual(['completed', 'completed', 'rejected', 'completed']);
  for (const { id, version } of transfers) expect(await em.count(TransferStep, { transferId: id })).toBe(version);
  // No job may try to pay out the samples; what is left follows the rates.
  const ofRates = ['fire-rate-alerts', 'watch-rates'];
  expect(await em.count(OutboxRow, { kind: 'job', name: { $nin: ofRates } })).toBe(0);
  const sums = await em.execute(
    `select transfer_id from ledger_balance group by transfer_id, currency having sum(amount_minor) <> 0`,
  );
  expect(sums).toEqual([]);
  expect(await em.execute(`select distinct transfer_id from ledger_balance`)).toHaveLength(3);
});
