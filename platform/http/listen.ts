import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo, ListenOptions } from 'node:net';

/**
 * Starts an internal server for probes or metrics. Closing it does not wait for open responses. @throws when the port
 * is taken.
 */
export async function listen(
  server: Server,
  where: Pick<ListenOptions, 'host' | 'port'>,
): Promise<{ port: number; close(): Promise<void> }> {
  server.listen(where);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
