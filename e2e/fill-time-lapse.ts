import { findAdmins } from '#domain/accounts/account.repository';
import { readConfig } from '../infra/config.ts';
import { type DatabaseUrls, migrateDatabase, startEmbeddedDatabase } from '../infra/database.ts';
import { lockInstance } from '../infra/instance-lock.ts';
import { openDatabase } from '../testing/database.ts';
import { timeLapse } from '../worker/testing/time-lapse.ts';

/**
 * Command: fills the database of `npm start` with a month of collected prices, so that its charts can be looked at. Everything
 * that was there stays. Needs a built product, which must not be running:
 *
 *     npm run build && npx node infra/run-source.ts e2e/fill-time-lapse.ts && npm start
 */
const config = readConfig(process.env);
const unlock = await lockInstance();
const embedded = config.database === undefined ? await startEmbeddedDatabase(console.log) : undefined;
try {
  const urls = config.database ?? (embedded?.urls as DatabaseUrls);
  await migrateDatabase({ env: config.env, database: urls, seed: true, signal: new AbortController().signal });
  const database = await openDatabase(urls.url, { poolMax: 1 });
  const [admin] = await findAdmins(database.fork());
  if (!admin) throw new Error('there is no admin: start the product once before');
  await database.close();
  await timeLapse({ databaseUrl: urls.url, windows: 360, seed: 2026, adminId: admin.id });
} finally {
  await embedded?.server.stop();
  await unlock();
}
