import { randomBytes } from 'node:crypto';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { testUser } from '#core/contracts/test-user';
import { User } from '#domain/accounts/account.entity';
import { verifyPassword } from '#domain/accounts/passwords';
import { openDatabase } from '#domain/database';
import { readPhone } from '#domain/personal-data/personal-data';
import { dollarHistory } from '#domain/rate-observations/dollar-history';
import { currentRates } from '#domain/rates/current-rates';
import { Recipient } from '#domain/recipients/recipient.entity';
import { Transfer, TransferStep } from '#domain/transfers/transfer.entity';
import type { Database } from '#platform/database/database';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { overTcp } from '../../infra/testing/database-urls.ts';
import { realEnvironment, testEnvironment } from '../../infra/testing/environment.ts';
import { createTestUser } from '../../testing/accounts.ts';
import { openDatabase as openWithKeys } from '../../testing/database.ts';

const opened: { database: Database; drop: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const { database, drop } of opened.splice(0)) {
    await database.close();
    await drop();
  }
});

type Command = 'migrate' | 'seed' | 'admin-create' | 'personal-data-rotate';
type Urls = Pick<TestDatabase, 'url' | 'ownerUrl'>;

let { argv } = process;
let printed: string[] = [];
let complaints: string[] = [];
beforeEach(() => {
  ({ argv } = process);
  printed = [];
  complaints = [];
  vi.spyOn(console, 'log').mockImplementation((text) => void printed.push(text));
  vi.spyOn(console, 'error').mockImplementation((text) => void complaints.push(text));
});
afterEach(() => {
  process.argv = argv;
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

let starts = 0;

/**
 * Runs a command of this folder to its end and returns its output. It runs in this process, because starting one costs
 * a second or two; e2e/commands.test.ts starts the built migration.
 * @throws CommandFailed where the process would end with exit code 1
 */
async function run(
  command: Command,
  { url, ownerUrl }: Urls,
  environment: Record<string, string> = {},
  ...args: string[]
): Promise<string> {
  const urls = { DATABASE_URL: url, DATABASE_OWNER_URL: command === 'migrate' ? ownerUrl : '' };
  for (const [name, value] of Object.entries({ ...testEnvironment, ...urls, ...environment })) vi.stubEnv(name, value);
  process.argv = [process.execPath, command, ...args];
  const { exitCode } = process;
  try {
    starts += 1;
    // A command starts when its module is loaded: each number loads it once more.
    const module = `./${command}.ts?start=${starts}`;
    await import(module);
    if (process.exitCode === 1) throw new CommandFailed(complaints.join('\n'));
    return printed.join('\n');
  } finally {
    process.exitCode = exitCode;
  }
}

class CommandFailed extends Error {}

/** The output of a command that must fail. */
async function complaint(running: Promise<unknown>): Promise<string> {
  const error = await running.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(CommandFailed);
  return (error as CommandFailed).message;
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

const admin = { ADMIN_EMAIL: 'Jefa@Chasqui.test', ADMIN_PASSWORD: 'una clave larga' };

test('migrate rejects a first admin with a well-known password', async () => {
  const testDatabase = await createTestDatabase();
  const database = await open(testDatabase);
  const weak = { ...admin, ADMIN_PASSWORD: 'password1' };
  expect(await complaint(run('migrate', testDatabase, weak))).toMatch(/^ADMIN_PASSWORD es fácil de adivinar/);
  expect(await database.fork().count(User)).toBe(0);
});

test('seed refuses to run outside the sandbox and creates no accounts', async () => {
  const testDatabase = await createTestDatabase();
  const database = await open(testDatabase);
  expect(await complaint(run('seed', testDatabase, realEnvironment))).toMatch(/^- CHASQUI_MODE must be sandbox/m);
  expect(await database.fork().count(User)).toBe(0);
});

test('migrate reports an invalid configuration in one sentence', async () => {
  const testDatabase = await createTestDatabase();
  await testDatabase.drop();
  const wrong = { ...realEnvironment, STRIPE_WEBHOOK_SECRET: 'whsec_sandbox' };
  expect(await complaint(run('migrate', testDatabase, wrong))).toMatch(
    /^The configuration cannot be used:\n- STRIPE_WEBHOOK_SECRET .*$/,
  );
});

test('migrate waits for a database server that is not listening yet', async () => {
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
  const url = overTcp(testDatabase.ownerUrl);
  url.port = String(freePort);

  const migrating = run('migrate', { url: testDatabase.url, ownerUrl: url.href }, admin);
  await expect.poll(() => complaints).toHaveLength(1);
  await listen(proxy, freePort);
  await migrating;
  expect(complaints[0]).toMatch(/^La base de datos en .* no responde \(ECONNREFUSED\)\. Otro intento/);
  expect(await database.fork().count(User)).toBe(1);
  await new Promise((resolve) => proxy.close(resolve));
});

test('admin:create adds an admin and prints its password once', async () => {
  const testDatabase = await createTestDatabase();
  const database = await open(testDatabase);
  const create = (...argv: string[]) => run('admin-create', testDatabase, {}, ...argv);
  const password = /Contraseña: (\S+)/.exec(await create('Segunda@Chasqui.test', 'Luis Rojas'))?.[1] ?? '';
  expect(await create('segunda@chasqui.test')).toContain('ya administraba');
  const [made, ...more] = await database.fork().findAll(User);
  expect(more).toEqual([]);
  expect(made).toMatchObject({ email: 'segunda@chasqui.test', name: 'Luis Rojas', role: 'admin' });
  expect(await verifyPassword(password, made?.passwordHash ?? '')).toBe(true);
  expect(await complaint(create('nadie'))).toContain('Escribe un correo');
});

test('seed creates the demo data once, with a balanced ledger and no job left to do', async () => {
  const testDatabase = await createTestDatabase();
  const database = await open(testDatabase);
  const password = 'clave de demostración';
  const seed = () => run('seed', testDatabase, { DEMO_PASSWORD: password });
  await Promise.all([seed(), seed()]);

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

  // The dollar history was imported once, and the next source run is neither skipped nor missed.
  const [history] = await em.execute(
    `select count(*)::int as figures, count(distinct run_id)::int as runs from rate_observation where pair = 'USD/BOB'`,
  );
  expect(history).toEqual({ figures: dollarHistory.length, runs: 1 });

  const transfers = await em.find(Transfer, {}, { orderBy: { createdAt: 'asc' } });
  expect(transfers.map(({ state }) => state)).toEqual(['completed', 'completed', 'rejected', 'completed']);
  for (const { id, version } of transfers) expect(await em.count(TransferStep, { transferId: id })).toBe(version);
  // No job may try to pay out the samples; the rest is caused by the rates and the new recipients.
  const left = ['fire-rate-alerts', 'watch-rates', 'check-account-name'];
  const jobs = await em.find(OutboxRow, { kind: 'job', name: { $nin: left } });
  expect(jobs.map(({ name, data }) => ({ name, data }))).toEqual([]);
  const sums = await em.execute(
    `select transfer_id from ledger_balance group by transfer_id, currency having sum(amount_minor) <> 0`,
  );
  expect(sums).toEqual([]);
  expect(await em.execute(`select distinct transfer_id from ledger_balance`)).toHaveLength(3);
});

test('personal-data-rotate re-encrypts data of an earlier key with a new one, every time it is run', async () => {
  const testDatabase = await createTestDatabase();
  const database = await openWithKeys(testDatabase.url, { poolMax: 2 });
  opened.push({ database, drop: testDatabase.drop });
  const { id } = await createTestUser(database, { phone: '+34 612 345 678' });
  const phone = async () =>
    (
      await database
        .fork()
        .execute<{ sealed: string }[]>('select phone_sealed as sealed from app_user where id = ?', [id])
    )[0]?.sealed;
  const before = await phone();
  expect(await run('personal-data-rotate', testDatabase)).toContain('Clave de datos nueva: 1 filas cifradas otra vez');
  const after = await phone();
  expect(after?.split('.')[0]).not.toBe(before?.split('.')[0]);
  expect(await readPhone(database.fork(), { id, phoneSealed: after ?? '' })).toBe('+34 612 345 678');

  // Only the owner of the tables can change the data keys themselves.
  const PERSONAL_DATA_KEY = `${randomBytes(32).toString('base64')},${testEnvironment.PERSONAL_DATA_KEY}`;
  const refused = await complaint(run('personal-data-rotate', testDatabase, { PERSONAL_DATA_KEY }));
  expect(refused).toContain('DATABASE_OWNER_URL');
  const owned = { PERSONAL_DATA_KEY, DATABASE_OWNER_URL: testDatabase.ownerUrl };
  expect(await run('personal-data-rotate', testDatabase, owned)).toContain('Claves de datos envueltas otra vez: 3');
});
