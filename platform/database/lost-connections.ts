import type { Pool, PoolClient } from 'pg';

/**
 * Takes lost connections out of the pool. A transaction that is cut off with its connection cannot be rolled back, and the
 * query builder then never gives the connection back: after a few restarts of PostgreSQL the pool would be empty for good.
 */
export function dropLostConnections(pool: Pool): void {
  const held = new Set<PoolClient>();
  pool.on('acquire', (client) => held.add(client));
  pool.on('release', (_error, client) => held.delete(client as PoolClient));
  pool.on('connect', (client) => {
    client.once('end', () => {
      if (!held.has(client)) return;
      client.release(true);
      // Its holder may still release it; the pool throws at a second release.
      client.release = () => {};
    });
  });
}
