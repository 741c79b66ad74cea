import { afterAll, beforeAll, beforeEach, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import type { SendCurrency } from '#core/money';
import { parseRate, type Rate } from '#core/rate';
import { Database } from '#platform/database/database';
import { ensureAdmin } from '#platform/database/people';
import { setRate } from '#platform/database/rates';
import { createTestDatabase } from '../infra/testing/database.ts';
import type { QueueServices } from '../infra/testing/redis.ts';
import { type Stack, startStack } from '../infra/testing/stack.ts';
import { type Caller, signIn } from './caller.ts';
import { controlSandbox, type Sandbox } from './sandbox.ts';

export const adminAccount = { email: 'jefa@example.com', name: 'Ana Quispe', password: 'una-clave-larga' };
export const secondAdminAccount = { email: 'jefe@example.com', name: 'Luis Rojas', password: 'una-clave-larga' };

/** Over the test environment. Sweeps come by often, but not so often that houses in which nothing gets lost are busy with them. */
const houseEnv = {
  SWEEP_SECONDS: '5',
  LIMIT_DAY_USD: '9000',
  HELP_WHATSAPP: '+591 712 34567',
  HELP_EMAIL: 'ayuda@example.com',
};
/** For tests in which the sweeps are what carries things on. */
export const busySweeps = { SWEEP_SECONDS: '1' };

/** A running product with two admins and rates: 1 EUR = 13,38 Bs, 1 USD = 11,55 Bs. */
export interface House {
  readonly stack: Stack;
  readonly sandbox: Sandbox;
  readonly databaseUrl: string;
  readonly admin: Caller;
  /** Whoever confirms what the other may not do alone. */
  readonly secondAdmin: Caller;
  url(): string;
}

/** Opens a house on a migrated database that is its alone. Tests use `useHouse`, unless they close it themselves. */
export async function openHouse(options: {
  database: { url: string };
  redisUrl?: string | undefined;
  env?: Record<string, string>;
}): Promise<House> {
  const database = await Database.open(options.database.url, { poolMax: 1 });
  await database.transaction(async (em) => {
    const at = new Date();
    const { id } = await ensureAdmin(em, { ...adminAccount, at });
    await ensureAdmin(em, { ...secondAdminAccount, at });
    await setRate(em, { currency: 'EUR', rate: parseRate('13.38') as Rate, setById: id, at });
    await setRate(em, { currency: 'USD', rate: parseRate('11.55') as Rate, setById: id, at });
  });
  await database.close();
  const stack = await startStack({ ...options, env: { ...houseEnv, ...options.env } });
  const url = () => stack.apiUrl;
  const admin = await signIn(url, adminAccount.email, adminAccount.password);
  const secondAdmin = await signIn(url, secondAdminAccount.email, secondAdminAccount.password);
  const sandbox = controlSandbox(stack.sandboxUrl);
  return { stack, sandbox, databaseUrl: options.database.url, admin, secondAdmin, url };
}

export interface HouseOptions {
  /** Over the environment of every house. */
  env?: Record<string, string>;
  /** A new house also without an environment of its own: for files that need it empty, or do not leave it as it was. */
  alone?: true;
  /** Where its database and queues are; a new database with the queues in it unless given. */
  services?: () => Promise<QueueServices>;
}

async function openWith({ env = {}, services: start = ownDatabase }: HouseOptions) {
  const services = await start();
  try {
    const house = await openHouse({ ...services, env });
    const close = async () => {
      await house.stack.close();
      await services.close();
    };
    return { house, close };
  } catch (error) {
    await services.close();
    throw error;
  }
}

async function ownDatabase(): Promise<QueueServices> {
  const database = await createTestDatabase();
  return { database, redisUrl: undefined, close: database.drop };
}

/** Vitest keeps the house for as long as the process that runs test files one after another, and closes it then. */
const keep = () =>
  test.extend(
    'sharedHouse',
    { scope: 'worker' },
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads here what else it needs, which is nothing.
    async ({}, { onCleanup }) => {
      const { house, close } = await openWith({});
      onCleanup(close);
      return house;
    },
  );
/** Made when a test file asks: outside of tests Vitest has nothing to extend. */
let keeping: ReturnType<typeof keep> | undefined;

const openMsMax = 120_000;

/**
 * A house for the tests of a file or a `describe`; call it at its top level. Without options the files that run one after
 * another share one: they leave rates, price sites and webhooks as they found them, and count on nothing being there but what
 * they made themselves. The servers' last lines are shown when a test fails.
 */
export function useHouse(options: HouseOptions = {}): House {
  let open: House | undefined;
  let close = async () => {};
  if (options.env || options.alone || options.services) {
    beforeAll(async () => {
      ({ house: open, close } = await openWith(options));
    }, openMsMax);
    afterAll(() => close());
  } else {
    keeping ??= keep();
    keeping.beforeAll(({ sharedHouse }) => {
      open = sharedHouse;
    }, openMsMax);
    afterAll(() => open?.stack.expectUnbroken());
  }
  const house = (): House => {
    if (!open) throw new Error('The house opens before the tests, not before that.');
    return open;
  };
  beforeEach(() => house().stack.showLogOnFailure());
  return {
    get stack() {
      return house().stack;
    },
    get sandbox() {
      return house().sandbox;
    },
    get databaseUrl() {
      return house().databaseUrl;
    },
    get admin() {
      return house().admin;
    },
    get secondAdmin() {
      return house().secondAdmin;
    },
    url: () => house().url(),
  };
}

/** Changes a rate as two admins do: one asks, and the other confirms when a guard-rail wants it. */
export async function changeRate(house: House, currency: SendCurrency, rate: string): Promise<void> {
  const body = { currency, rate, reason: 'Prueba' };
  const { change } = await house.admin.call(endpoints.setRate, { body });
  if (change.state === 'activated') return;
  await house.secondAdmin.call(endpoints.confirmRateChange, { params: { id: change.id } });
}
