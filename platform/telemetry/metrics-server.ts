import { createServer } from 'node:http';
import { collectDefaultMetrics, register } from 'prom-client';
import type { ListenAddress } from '../configuration/variables.ts';
import { listen } from '../http/listen.ts';
import type { Logger } from '../logging.ts';

let collectsDefaults = false;

/**
 * Serves `GET /metrics` in the Prometheus format on a separate address that no browser reaches. `refresh` updates the
 * gauges that are read rather than counted; if it fails, the counters are still served.
 */
export async function serveMetrics(
  address: ListenAddress,
  refresh: () => Promise<void>,
  log: Logger,
): Promise<{ port: number; close(): Promise<void> }> {
  // Memory, CPU, event loop and garbage collection: measured only where metrics are served.
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
