import { endpoints } from '#core/contracts/http/endpoints';
import { Database } from '#platform/database/database';
import { ensureAdmin } from '#platform/database/people';
import { type Stack, startStack } from '../infra/testing/stack.ts';
import { type Caller, signIn } from './caller.ts';
import { controlSandbox, type Sandbox } from './sandbox.ts';

export const adminAccount = { email: 'jefa@example.com', name: 'Ana Quispe', password: 'una-clave-larga' };

/** A running product with an admin and rates: 1 EUR = 13,38 Bs, 1 USD = 11,55 Bs. Sweeps come by every second. */
export interface House {
  readonly stack: Stack;
  readonly sandbox: Sandbox;
  readonly databaseUrl: string;
  readonly admin: Caller;
  url(): string;
}

/** Opens a house on a migrated database that is its alone. */
export async function openHouse(options: {
  database: { url: string };
  redisUrl?: string | undefined;
  env?: Record<string, string>;
}): Promise<House> {
  const database = await Database.open(options.database.url, { poolMax: 1 });
  await database.transaction((em) => ensureAdmin(em, { ...adminAccount, at: new Date() }));
  await database.close();
  const stack = await startStack({ ...options, env: { SWEEP_SECONDS: '1', LIMIT_DAY_USD: '9000', ...options.env } });
  const url = () => stack.apiUrl;
  const admin = await signIn(url, adminAccount.email, adminAccount.password);
  await admin.call(endpoints.setRate, { body: { currency: 'EUR', rate: '13.38' } });
  await admin.call(endpoints.setRate, { body: { currency: 'USD', rate: '11.55' } });
  return { stack, sandbox: controlSandbox(stack.sandboxUrl), databaseUrl: options.database.url, admin, url };
}
