/** Starts and stops an HTTP server, for the whole sandbox and for a single simulator in a test. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';

export interface RunningServer {
  port: number;
  /** Stops listening and resolves once `finish` has ended and every connection is closed. */
  close(finish?: () => Promise<void>): Promise<void>;
}

/** @param port 0 takes any free one. Rejects when the port is taken. */
export async function listen(app: Express, port: number, host: string): Promise<RunningServer> {
  const server = createServer(app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: async (finish) => {
      const closed = new Promise((resolve) => server.close(resolve));
      await finish?.();
      server.closeAllConnections();
      await closed;
    },
  };
}
