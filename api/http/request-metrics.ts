import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Endpoint } from '#core/contracts/http/endpoint';
import { endpoints } from '#core/contracts/http/endpoints';
import { requestDuration, statusClass } from '#platform/telemetry/metrics';
import { stripeWebhookPath } from './routes.ts';

/** Paths that have no parameters, and so are routes as they are. */
const fixedPaths: ReadonlySet<string> = new Set([
  stripeWebhookPath,
  ...Object.values<Endpoint>(endpoints)
    .map(({ path }) => path)
    .filter((path) => !path.includes('{')),
]);

/** Methods that are called; scanners invent others. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * The route of a request once it was answered, as the contract writes it; never a path that the caller made up. `web`: files and pages,
 * `/ops`: the queue dashboard, `unknown`: no call of the api.
 */
export function routeOf(request: IncomingMessage): string {
  // What Express found, which not every request reaches.
  const { route } = request as IncomingMessage & { route?: { path?: unknown } };
  if (typeof route?.path === 'string' && route.path.startsWith('/api/')) return route.path.replace(/:(\w+)/g, '{$1}');
  const path = (request.url ?? '').split('?')[0] ?? '';
  if (fixedPaths.has(path)) return path;
  if (/^\/ops\b/.test(path)) return '/ops';
  return /^\/api\b/.test(path) ? 'unknown' : 'web';
}

/** Measures every request that the server's listeners answer; called once they are all there. */
export function measureRequests(server: Server): void {
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request').on('request', (request: IncomingMessage, response: ServerResponse) => {
    const startedAt = performance.now();
    response.once('close', () => {
      const method = methods.has(request.method ?? '') ? (request.method as string) : 'other';
      const status = response.writableFinished ? statusClass(response.statusCode) : 'aborted';
      requestDuration.observe({ method, route: routeOf(request), status }, (performance.now() - startedAt) / 1000);
    });
    for (const listener of listeners) listener.call(server, request, response);
  });
}
