import { afterAll, beforeAll, beforeEach, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import type { SendCurrency } from '#core/money/money';
import { parseRate, type Rate } from '#core/rates/rate';
import { ensureAdmin } from '#domain/account-oversight/operator-accounts';
import { setRate } from '#domain/rates/set-rate';
import { createTestDatabase } from '../infra/testing/database.ts';
import type { QueueServices } from '../infra/testing/redis.ts';
import { type Stack, type StackOptions, startStack } from '../infra/testing/stack.ts';
import { controlSandbox, type Sandbox } from '../sandbox/testing/control-client.ts';
import { openDatabase } from '../testing/database.ts';
import { type ApiClient, signIn } from './api-client.ts';

export const adminAccount = { email: 'jefa@example.com', name: 'Ana Quispe', password: 'una-clave-larga' };
export const secondAdminAccount = { email: 'jefe@example.com', name: 'Luis Rojas', password: 'una-clave-larga' };

/**
 * Added to the test environment. Sweeps run often, but not so often that they load an app in which nothing gets lost: every five
 * seconds they cost three percent of a processor for each app that is open.
 */
const appEnv = {
  SWEEP_SECONDS: '10',
  LIMIT_DAY_USD: '9000',
  LIMIT_EMAIL_USD: '1000/9000/9000',
  LIMIT_IDENTITY_USD: '2000/9000/9000',
  HELP_WHATSAPP: '+591 712 34567',
  HELP_EMAIL: 'ayuda@example.com',
};

/** A running product with two admins and rates: 1 EUR = 13,38 Bs, 1 USD = 11,55 Bs. */
export interface TestApp {
  readonly stack: Stack;
  readonly sandbox: Sandbox;
  readonly databaseUrl: string;
  readonly admin: ApiClient;
  /** Confirms what one admin may not do alone. */
  readonly secondAdmin: ApiClient;
  url(): string;
}

/** Starts the product on a separate, migrated database. Tests use `useApp`, unless they close it themselves. */
export async function openApp(options: {
  database: { url: string };
  redisUrl?: string | undefined;
  env?: Record<string, string>;
  /** When its admins and rates are written; by default now. */
  at?: Date;
  replicas?: StackOptions['replicas'];
  builds?: StackOptions['builds'];
}): Promise<TestApp> {
  const { at = new Date() } = options;
  const database = await openDatabase(options.database.url, { poolMax: 1 });
  await database.transaction(async (em) => {
    const { id } = await ensureAdmin(em, { ...adminAccount, at });
    await ensureAdmin(em, { ...secondAdminAccount, at });
    await setRate(em, { currency: 'EUR', rate: parseRate('13.38') as Rate, setById: id, at });
    await setRate(em, { currency: 'USD', rate: parseRate('11.55') as Rate, setById: id, at });
  });
  await database.close();
  const stack = await startStack({ ...options, env: { ...appEnv, ...options.env } });
  const url = () => stack.apiUrl;
  const admin = await signIn(url, adminAccount.email, adminAccount.password);
  const secondAdmin = await signIn(url, secondAdminAccount.email, secondAdminAccount.password);
  const sandbox = controlSandbox(stack.sandboxUrl);
  return { stack, sandbox, databaseUrl: options.database.url, admin, secondAdmin, url };
}

export interface TestAppOptions {
  /** Added to the environment of every app. */
  env?: Record<string, string>;
  /** Starts a separate app even without `env`: for files that need it empty or change it permanently. */
  alone?: true;
  /** Its database and queues; a new database that also holds the queues unless given. */
  services?: () => Promise<QueueServices>;
}

async function openWith({ env = {}, services: start = ownDatabase }: TestAppOptions) {
  const services = await start();
  try {
    const app = await openApp({ ...services, env });
    const close = async () => {
      await app.stack.close();
      await services.close();
    };
    return { app, close };
  } catch (error) {
    await services.close();
    throw error;
  }
}

async function ownDatabase(): Promise<QueueServices> {
  const database = await createTestDatabase();
  return { database, redisUrl: undefined, close: database.drop };
}

/** Vitest keeps the app until the process that runs test files one after another ends, and closes it then. */
const keep = () =>
  test.extend(
    'sharedApp',
    { scope: 'worker' },
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads here what else it needs, which is nothing.
    async ({}, { onCleanup }) => {
      const { app, close } = await openWith({});
      onCleanup(close);
      return app;
    },
  );
/** Created on first use: outside of tests Vitest has nothing to extend. */
let keeping: ReturnType<typeof keep> | undefined;

const openMsMax = 120_000;

/**
 * The running product for the tests of a file or a `describe`; call it at its top level. Without options, files that run one
 * after another share one: they restore rates, price sites and webhook delivery, and rely only on data they created
 * themselves. When a test fails, the servers' last log lines are shown.
 */
export function useApp(options: TestAppOptions = {}): TestApp {
  let open: TestApp | undefined;
  let close = async () => {};
  if (options.env || options.alone || options.services) {
    beforeAll(async () => {
      ({ app: open, close } = await openWith(options));
    }, openMsMax);
    afterAll(() => close());
  } else {
    keeping ??= keep();
    keeping.beforeAll(({ sharedApp }) => {
      open = sharedApp;
    }, openMsMax);
    afterAll(() => open?.stack.expectUnbroken());
  }
  const app = (): TestApp => {
    if (!open) throw new Error('The app starts before the tests, not earlier.');
    return open;
  };
  beforeEach(() => app().stack.showLogOnFailure());
  return {
    get stack() {
      return app().stack;
    },
    get sandbox() {
      return app().sandbox;
    },
    get databaseUrl() {
      return app().databaseUrl;
    },
    get admin() {
      return app().admin;
    },
    get secondAdmin() {
      return app().secondAdmin;
    },
    url: () => app().url(),
  };
}

/** Changes a rate as two admins do: one asks, and the other confirms when a guard-rail wants it. */
export async function changeRate(app: TestApp, currency: SendCurrency, rate: string): Promise<void> {
  const body = { currency, rate, reason: 'Prueba' };
  const { change } = await app.admin.call(endpoints.setRate, { body });
  if (change.state === 'activated') return;
  await app.secondAdmin.call(endpoints.confirmRateChange, { params: { id: change.id } });
}
