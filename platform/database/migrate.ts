import { Client } from 'pg';
import { readEnv } from '../env.ts';
import { createLogger } from '../logging.ts';
import { migrateQueues } from '../queue/queues.ts';
import { Database } from './database.ts';
import { ensureAdmin } from './people.ts';

/** Command: brings the database and the queues' tables up to date and makes sure of the configured admin. Safe to repeat. */
const env = readEnv();
const log = createLogger('platform', env.logLevel);
const database = await Database.open(env.databaseUrl, { poolMax: 2 });
// Two starts at once: the second waits here and then finds everything there. The lock ends with its connection.
const lock = new Client({ connectionString: env.databaseUrl });
try {
  await lock.connect();
  await lock.query("select pg_advisory_lock(hashtext('chasqui-migrate'))");
  const run = await database.orm.migrator.up();
  await migrateQueues(env);
  const { firstAdmin } = env;
  if (firstAdmin) {
    await database.transaction((em) => ensureAdmin(em, { ...firstAdmin, name: 'Administración', at: new Date() }));
  }
  log.info({ migrations: run.map((migration) => migration.name) }, 'database ready');
} finally {
  await lock.end();
  await database.close();
}
