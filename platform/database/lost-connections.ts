import type { Pool, PoolClient } from 'pg';

/** Time for whoever holds a lost connection to give it back by itself, in ms. */
const graceMs = 1000;

/**
 * Takes lost connections out of the pool. A transaction that is cut off with its connection cannot be rolled back, and the
 * query builder then never gives the connection back: after a few restarts of PostgreSQL the pool would be empty for good.
 */
export function dropLostConnections(pool: Pool): void {
  const held = new Set<PoolClient>();
  pool.on('acquire', (client) => held.add(client));
  pool.on('release', (_error, client) => held.delete(client));
  pool.on('connect', (client) => {
    client.on('end', () => {
      setTimeout(() => {
        if (held.delete(client)) client.release(true);
      }, graceMs).unref();
    });
  });
}
