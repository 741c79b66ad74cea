import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Endpoint } from '#core/contracts/http/endpoint';
import { endpoints } from '#core/contracts/http/endpoints';
import { requestDuration, statusClass } from '#platform/telemetry/metrics';
import { beginSpan, traceOfCaller } from '#platform/telemetry/tracing';
import { stripeWebhookPath } from './routes.ts';

/** Paths without parameters, which are used as route names directly. */
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

/** Calls of the api are traced; files, health checks and Stripe's events, which are stored and handled later, are not. */
const isTraced = (url = '') =>
  url.startsWith('/api/') && !url.startsWith('/api/health/') && !url.startsWith(stripeWebhookPath);

/**
 * Measures and traces every request that the server's listeners answer; call it once all are registered. Continues the
 * browser's trace and ignores `tracestate` and `baggage`.
 */
export function observeRequests(server: Server): void {
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request').on('request', (request: IncomingMessage, response: ServerResponse) => {
    const startedAt = performance.now();
    const method = methods.has(request.method ?? '') ? (request.method as string) : 'other';
    const span = isTraced(request.url)
      ? beginSpan(method, { kind: 'server', parent: traceOfCaller(request.headers.traceparent) })
      : undefined;
    response.once('close', () => {
      const route = routeOf(request);
      const status = response.writableFinished ? statusClass(response.statusCode) : 'aborted';
      requestDuration.observe({ method, route, status }, (performance.now() - startedAt) / 1000);
      if (!span) return;
      const { id } = request as IncomingMessage & { id?: unknown };
      const attributes = { 'http.request.method': method, 'http.route': route, 'chasqui.request_id': String(id) };
      const ended = { ...attributes, 'http.response.status_code': response.statusCode };
      span.end(`${method} ${route}`, ended, response.statusCode >= 500);
    });
    const answer = () => {
      for (const listener of listeners) listener.call(server, request, response);
    };
    if (span) span.run(answer);
    else answer();
  });
}
