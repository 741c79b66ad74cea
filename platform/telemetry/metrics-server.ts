import { createServer } from 'node:http';
import { collectDefaultMetrics, register } from 'prom-client';
import type { ListenAddress } from '../configuration/variables.ts';
import { listen } from '../http/listen.ts';
import type { Logger } from '../logging.ts';

let collectsDefaults = false;

/**
 * Serves `GET /metrics` in the format of Prometheus on an address of its own, which no browser reaches. `refresh` brings figures up to date
 * that are read rather than counted; should it fail, the counted ones are served all the same.
 */
export async function serveMetrics(
  address: ListenAddress,
  refresh: () => Promise<void>,
  log: Logger,
): Promise<{ port: number; close(): Promise<void> }> {
  // Memory, processor, event loop and garbage collection: measured only where somebody asks.
  if (!collectsDefaults) collectDefaultMetrics();
  collectsDefaults = true;
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end();
    refresh()
      .catch((error: unknown) => log.warn({ err: error }, 'figures for monitoring could not be read'))
      .then(() => register.metrics())
      .then(
        (text) =>
          response.writeHead(200, { 'content-type': register.contentType, 'cache-control': 'no-store' }).end(text),
        () => response.writeHead(500).end(),
      );
  });
  return listen(server, address);
}
