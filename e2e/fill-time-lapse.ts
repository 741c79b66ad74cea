import { findAdmins } from '#domain/accounts/account.repository';
import { openDatabase } from '#domain/database';
import { runDatabaseCommand, startEmbeddedDatabase } from '../infra/database.ts';
import { lockInstance } from '../infra/instance-lock.ts';
import { makePlan } from '../infra/plan.ts';
import { timeLapse } from '../worker/testing/time-lapse.ts';

/**
 * Command: fills the database of `npm start` with a month of collected prices, so that its charts can be looked at. Everything
 * that was there stays. Needs a built product, which must not be running:
 *
 *     npm run build && npx node --conditions=chasqui-source e2e/fill-time-lapse.ts && npm start
 */
const plan = makePlan(process.env);
const unlock = await lockInstance();
const embedded = plan.databaseUrl === undefined ? await startEmbeddedDatabase(console.log) : undefined;
try {
  const databaseUrl = plan.databaseUrl ?? (embedded?.url as string);
  const env = { ...plan.env, DATABASE_URL: databaseUrl };
  for (const command of ['migrate', 'seed'] as const) {
    await runDatabaseCommand(command, env, new AbortController().signal);
  }
  const database = await openDatabase(databaseUrl, { poolMax: 1 });
  const [admin] = await findAdmins(database.fork());
  if (!admin) throw new Error('there is no admin: start the product once before');
  await database.close();
  await timeLapse({ databaseUrl, windows: 360, seed: 2026, adminId: admin.id });
} finally {
  await embedded?.server.stop();
  await unlock();
}
