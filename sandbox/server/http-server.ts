/** Starts and stops an HTTP server, for the whole sandbox and for a single simulator in a test. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';

export interface RunningServer {
  port: number;
  /** Stops listening and resolves once `finish` has ended and every connection is closed. */
  close(finish?: () => Promise<void>): Promise<void>;
}

/**
 * How long (ms) an idle connection is kept: longer than its clients do, as the api's (api/server.ts). A server that closes first loses a request
 * that is on its way at that moment.
 */
const idleConnectionMs = 75_000;

/** @param port 0 takes any free one. Rejects when the port is taken. */
export async function listen(app: Express, port: number, host: string): Promise<RunningServer> {
  const server = createServer(app);
  server.keepAliveTimeout = idleConnectionMs;
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
