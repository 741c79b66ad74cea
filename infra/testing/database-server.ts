import pg from 'pg';
import { startTestCluster } from './cluster.ts';
import { createMigratedDatabase } from './services.ts';

/** A PostgreSQL of one test alone, which it may crash. */
export interface TestDatabaseServer {
  /** A migrated database on it. */
  database: { url: string; ownerUrl: string };
  /** As if the power of PostgreSQL's process were cut: every connection breaks; `resume` has to recover. */
  crash: () => Promise<void>;
  /** Stops it cleanly; every connection breaks. */
  stop: () => Promise<void>;
  /** Starts it again on the same port. */
  resume: () => Promise<void>;
  /** Ids of all its processes, the one that accepts connections first. */
  pids: () => Promise<number[]>;
  close: () => Promise<void>;
}

/** About two seconds. Always the embedded PostgreSQL, also where the other tests use containers. */
export async function startTestDatabaseServer(): Promise<TestDatabaseServer> {
  const { server, remove } = await startTestCluster();
  return {
    database: await createMigratedDatabase(server.url(), 'chasqui'),
    crash: () => server.stop('immediate'),
    stop: () => server.stop('fast'),
    resume: () => server.resume(),
    pids: async () => [...(server.pid ? [server.pid] : []), ...(await backendsOf(server.url()))],
    close: remove,
  };
}

async function backendsOf(url: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const own = 'select pid from pg_stat_activity where pid <> pg_backend_pid()';
    return (await client.query<{ pid: number }>(own)).rows.map(({ pid }) => pid);
  } finally {
    await client.end();
  }
}
