import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterEach, expect, inject, test } from 'vitest';
import { testUser } from '#core/contracts/test-user';
import { Database } from '#platform/database/database';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { realEnvironment, testEnvironment } from '../../infra/testing/environment.ts';
import { PasswordRecovery, Session, User } from '../accounts/account.entity.ts';
import { verifyPassword } from '../accounts/account.repository.ts';
import { openDatabase } from '../database.ts';
import { currentRates } from '../rates/current-rates.ts';
import { RateEntry } from '../rates/rate.entity.ts';
import { Recipient } from '../recipients/recipient.entity.ts';
import { Transfer, TransferStep } from '../transfers/transfer.entity.ts';

const opened: { database: Database; drop: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const { database, drop } of opened.splice(0)) {
    await database.close();
    await drop();
  }
});

type Command = 'migrate' | 'seed' | 'admin-create';

/** Starts a command of this folder as `npm run` does, from the sources. */
function start(command: Command, url: string, environment: NodeJS.ProcessEnv = {}, ...argv: string[]) {
  const file = fileURLToPath(new URL(`${command}.ts`, import.meta.url));
  const env = { ...process.env, ...testEnvironment, LOG_LEVEL: 'info', DATABASE_URL: url, ...environment };
  return promisify(execFile)(process.execPath, ['--conditions=chasqui-source', file, ...argv], { env });
}

/** Runs a command to its end; what it printed. */
async function run(...input: Parameters<typeof start>): Promise<string> {
  return (await start(...input)).stdout;
}

/** What a command that must fail says to the person at the terminal. */
async function complaint(running: Promise<unknown>): Promise<string> {
  const error = await running.then(
    () => undefined,
    (error: { code: number; stderr: string }) => error,
  );
  expect(error?.code).toBe(1);
  return error?.stderr ?? '';
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function open({ url, drop }: Pick<TestDatabase, 'url' | 'drop'>): Promise<Database> {
  const database = await openDatabase(url, { poolMax: 2 });
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
  const [found, ...more] = await database.fork().findAll(User);
  expect(more).toEqual([]);
  expect(found).toMatchObject({ email: 'jefa@chasqui.test', role: 'admin' });
  expect(await verifyPassword(admin.ADMIN_PASSWORD, found?.passwordHash ?? '')).toBe(true);
});

test('migrate makes nobody without a configured admin, and seed refuses without a password for the demo accounts', async () => {
  const testDatabase = await createTestDatabase();
  const database = await open(testDatabase);
  await run('migrate', testDatabase.url);
  expect(await complaint(run('seed', testDatabase.url))).toMatch(/^DEMO_PASSWORD .*\n$/);
  expect(await database.fork().count(User)).toBe(0);
  expect(await database.fork().count(RateEntry)).toBe(0);
});

test('seed refuses with the keys of a real Stripe account and makes nobody', async () => {
  const testDatabase = await createTestDatabase();
  const database = await open(testDatabase);
  const seed = (more: NodeJS.ProcessEnv) => complaint(run('seed', testDatabase.url, { ...realEnvironment, ...more }));
  expect(await seed({})).toMatch(/^Demo data is seeded in the sandbox only.*\n$/);
  expect(await seed({ DEMO_PASSWORD: 'x' })).toMatch(/^- DEMO_PASSWORD /m);
  expect(await database.fork().count(User)).toBe(0);
});

test('migrate with real keys locks the accounts that the sandbox left and ends their sessions, and no others', async () => {
  const testDatabase = await createTestDatabase();
  const database = await open(testDatabase);
  await run('migrate', testDatabase.url, admin);
  await run('seed', testDatabase.url, { DEMO_PASSWORD: 'clave de demostración' });
  const at = new Date();
  const expiresAt = new Date(at.getTime() + 60_000);
  const peopleBefore = await database.fork().findAll(User);
  await database.transaction(async (em) => {
    for (const { id: userId } of peopleBefore) {
      em.create(Session, { id: randomUUID(), userId, tokenHash: userId, createdAt: at, expiresAt, endedAt: null });
      em.create(PasswordRecovery, { id: randomUUID(), userId, createdAt: at, expiresAt });
    }
  });

  expect(await run('migrate', testDatabase.url, realEnvironment)).toContain(
    'accounts of an earlier sandbox are locked',
  );

  const em = database.fork();
  const people = await em.find(User, {}, { orderBy: { email: 'asc' } });
  expect(people.map(({ email, role }) => [email, role])).toEqual([
    ['admin2@chasqui.test', 'user'],
    ['admin@chasqui.test', 'user'],
    ['demo@chasqui.test', 'user'],
    ['jefa@chasqui.test', 'admin'],
    [testUser.email, 'user'],
  ]);
  for (const { id, email, passwordHash } of people) {
    const isLocked = email !== 'jefa@chasqui.test';
    const passwords = ['clave de demostración', testUser.password, 'locked', admin.ADMIN_PASSWORD];
    const usable = await Promise.all(passwords.map((password) => verifyPassword(password, passwordHash)));
    expect([email, usable.includes(true)]).toEqual([email, !isLocked]);
    const open = { userId: id, endedAt: null };
    expect([email, await em.count(Session, open)]).toEqual([email, isLocked ? 0 : 1]);
    expect([email, await em.count(PasswordRecovery, open)]).toEqual([email, isLocked ? 0 : 1]);
  }
  expect(await run('migrate', testDatabase.url, realEnvironment)).not.toContain('locked');
});

test('a demo address that the operator takes as the first admin works with the operator’s password alone', async () => {
  const testDatabase = await createTestDatabase();
  const database = await open(testDatabase);
  await run('seed', testDatabase.url, { DEMO_PASSWORD: 'clave de demostración' });
  await run('migrate', testDatabase.url, { ...realEnvironment, ...admin, ADMIN_EMAIL: 'admin@chasqui.test' });
  const taken = await database.fork().findOneOrFail(User, { email: 'admin@chasqui.test' });
  expect(taken.role).toBe('admin');
  expect(await verifyPassword('clave de demostración', taken.passwordHash)).toBe(false);
  expect(await verifyPassword(admin.ADMIN_PASSWORD, taken.passwordHash)).toBe(true);
});

test('migrate says in one sentence that the configuration or the database cannot be used', async () => {
  const url = 'postgresql://chasqui:secreto@127.0.0.1:1/chasqui';
  expect(await complaint(run('migrate', url, { ...realEnvironment, STRIPE_WEBHOOK_SECRET: 'whsec_sandbox' }))).toMatch(
    /^The configuration cannot be used:\n- STRIPE_WEBHOOK_SECRET .*\n$/,
  );
  const { drop, url: missing } = await createTestDatabase();
  await drop();
  expect(await complaint(run('migrate', missing))).toMatch(/^La base de datos de DATABASE_URL no existe en .*\n$/);
});

test('migrate waits for a database server that does not listen yet', async () => {
  const testDatabase = await createTestDatabase();
  const database = await open(testDatabase);
  const { hostname, port } = new URL(testDatabase.url);
  const proxy = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const)
      from.pipe(to).on('error', () => from.destroy());
  });
  const freePort = await listen(proxy, 0);
  await new Promise((resolve) => proxy.close(resolve));
  const url = new URL(testDatabase.url);
  url.port = String(freePort);

  const migrating = start('migrate', url.href, admin);
  await new Promise((resolve) => migrating.child.stderr?.once('data', resolve));
  await listen(proxy, freePort);
  const { stdout, stderr } = await migrating;
  expect(stderr).toMatch(/^La base de datos en .* no responde \(ECONNREFUSED\)\. Otro intento/);
  expect(stdout).toContain('database ready');
  expect(await database.fork().count(User)).toBe(1);
  await new Promise((resolve) => proxy.close(resolve));
});

test('a further admin is made by hand, with a password that is told once', async () => {
  const testDatabase = await createTestDatabase();
  const database = await open(testDatabase);
  const create = (...argv: string[]) => run('admin-create', testDatabase.url, {}, ...argv);
  const password = /Contraseña: (\S+)/.exec(await create('Segunda@Chasqui.test', 'Luis Rojas'))?.[1] ?? '';
  expect(await create('segunda@chasqui.test')).toContain('ya administraba');
  const [made, ...more] = await database.fork().findAll(User);
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

  const em = database.fork();
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
