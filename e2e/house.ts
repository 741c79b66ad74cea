import { endpoints } from '#core/contracts/http/endpoints';
import type { SendCurrency } from '#core/money';
import { parseRate, type Rate } from '#core/rate';
import { Database } from '#platform/database/database';
import { ensureAdmin } from '#platform/database/people';
import { setRate } from '#platform/database/rates';
import { type Stack, startStack } from '../infra/testing/stack.ts';
import { type Caller, signIn } from './caller.ts';
import { controlSandbox, type Sandbox } from './sandbox.ts';

export const adminAccount = { email: 'jefa@example.com', name: 'Ana Quispe', password: 'una-clave-larga' };
export const secondAdminAccount = { email: 'jefe@example.com', name: 'Luis Rojas', password: 'una-clave-larga' };

/** A running product with two admins and rates: 1 EUR = 13,38 Bs, 1 USD = 11,55 Bs. Sweeps come by every second. */
export interface House {
  readonly stack: Stack;
  readonly sandbox: Sandbox;
  readonly databaseUrl: string;
  readonly admin: Caller;
  /** Whoever confirms what the other may not do alone. */
  readonly secondAdmin: Caller;
  url(): string;
}

/** Opens a house on a migrated database that is its alone. */
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
  const stack = await startStack({ ...options, env: { SWEEP_SECONDS: '1', LIMIT_DAY_USD: '9000', ...options.env } });
  const url = () => stack.apiUrl;
  const admin = await signIn(url, adminAccount.email, adminAccount.password);
  const secondAdmin = await signIn(url, secondAdminAccount.email, secondAdminAccount.password);
  const sandbox = controlSandbox(stack.sandboxUrl);
  return { stack, sandbox, databaseUrl: options.database.url, admin, secondAdmin, url };
}

/** Changes a rate as two admins do: one asks, and the other confirms when a guard-rail wants it. */
export async function changeRate(house: House, currency: SendCurrency, rate: string): Promise<void> {
  const body = { currency, rate, reason: 'Prueba' };
  const { change } = await house.admin.call(endpoints.setRate, { body });
  if (change.state === 'activated') return;
  await house.secondAdmin.call(endpoints.confirmRateChange, { params: { id: change.id } });
}
