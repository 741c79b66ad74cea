import { expect } from 'vitest';
import type { Database } from '#platform/database/database';

/** Waits until a statement waits for a lock that another transaction of a test's own database has. */
export async function untilLockIsAwaited(database: Database): Promise<void> {
  const waiting = `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const count = async () => (await database.fork().execute<{ count: number }[]>(waiting))[0]?.count;
  await expect.poll(count, { timeout: 10_000 }).toBeGreaterThan(0);
}
