import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { Failure } from '#core/contracts/failures';
import { ensureAdmin, lockAccounts } from '#domain/account-oversight/operator-accounts';
import { readMigrateConfiguration } from '#platform/configuration/commands';
import { grantRuntimeRole } from '#platform/database/runtime-role';
import { createLogger } from '#platform/logging';
import { migrateQueues } from '#platform/queues/queues';
import { CommandRefused, runCommand, withDatabase } from './command.ts';
import { sandboxAccounts } from './demo-accounts.ts';

/**
 * Command: migrates the database and the queues' tables as their owner, grants the role of api and worker, ensures the
 * configured admin, and outside the sandbox locks the accounts of an earlier sandbox. With `--seed` it seeds
 * afterwards. Safe to repeat.
 */
await runCommand(async () => {
  const env = readMigrateConfiguration();
  const log = createLogger('platform', env.logLevel);
  await withDatabase(env.ownerUrl, async (database) => {
    // Of two concurrent starts the second waits here and then has nothing to do. The lock ends with its connection.
    const lock = new Client({ connectionString: env.ownerUrl });
    try {
      await lock.connect();
      await waitForLock(lock);
      const run = await database.orm.migrator.up();
      await migrateQueues({ databaseUrl: env.ownerUrl, redisUrl: env.redisUrl });
      if (env.ownerUrl !== env.databaseUrl) await grantRuntimeRole(lock, env.databaseUrl);
      else
        log.warn('api and worker connect as the owner of the tables, who can disable triggers: set DATABASE_OWNER_URL');
      const at = new Date();
      if (!env.isSandbox) {
        const locked = await database.transaction((em) => lockAccounts(em, sandboxAccounts, at));
        if (locked.length > 0) log.warn({ accounts: locked }, 'accounts of an earlier sandbox are locked');
      }
      // After the lock: an address of the sandbox may now be the operator's.
      const { firstAdmin } = env;
      if (firstAdmin) {
        const ensured = database.transaction((em) => ensureAdmin(em, { ...firstAdmin, name: 'Administración', at }));
        await ensured.catch((error) => {
          const isRefused = error instanceof Failure && error.code === 'invalid_input';
          throw isRefused
            ? new CommandRefused('ADMIN_PASSWORD es fácil de adivinar: elige otra, por ejemplo varias palabras.')
            : error;
        });
      }
      log.info({ migrations: run.map((migration) => migration.name) }, 'database ready');
    } finally {
      await lock.end();
    }
  });
});

// In this process, because loading the shared modules takes longer than the work when everything exists.
if (process.argv.includes('--seed') && process.exitCode === undefined) await import('./seed.ts');

/**
 * Polls the lock: a concurrent index creation waits for all statements, and so would deadlock with one waiting for this
 * lock.
 */
async function waitForLock(client: Client): Promise<void> {
  const isLocked = async () => {
    const { rows } = await client.query<{ locked: boolean }>(
      "select pg_try_advisory_lock(hashtext('chasqui-migrate')) as locked",
    );
    return rows[0]?.locked === true;
  };
  while (!(await isLocked())) await setTimeout(200);
}
