import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { type CallCost, endpointCosts } from '#core/contracts/http/costs';
import { routes } from '#core/contracts/http/routes';
import { PublicRates } from '#domain/rates/public-rates';
import { toRateBoard } from '#domain/rates/rate-views';
import { requestIdOf, runForRequest } from '#platform/request-id';
import { addressOf, networkOf } from '../access/network.ts';
import { RateLimits } from '../access/rate-limits.ts';
import type { Parts } from '../tokens.ts';
import type { Page, Pages } from '../web/pages.ts';
import type { SecurityHeaders } from '../web/security-headers.ts';

/** Answers a request, or returns false: then it goes the way of all others. */
type Answer = (request: IncomingMessage, response: ServerResponse, id: string) => Promise<boolean> | boolean;

type Headers = Readonly<Record<string, string | number>>;

/**
 * Answers what every visitor's browser asks for, the rates and the public pages, before the framework, whose layers cost several times as
 * much as the answer. The answers are those of `RatesController` and `serveWebFiles`, which get all that is not a plain request for them:
 * other methods, conditions, languages to choose from, encodings to negotiate, limits that are reached, and what fails.
 */
export function takeFrequentReads(
  app: NestExpressApplication,
  parts: Pick<Parts, 'log'>,
  { pages, securityHeaders }: { pages: Pages; securityHeaders: SecurityHeaders },
): void {
  const server: Server = app.getHttpServer();
  const [others] = server.listeners('request') as RequestListener[];
  const rates = rateAnswer(app, parts, { build: pages.build, security: securityHeaders(routes.getRates.path) });
  const ofPages = new Map<Page, Answer>();
  const find = (path: string): Answer | undefined => {
    if (path === routes.getRates.path) return rates;
    const page = pages.findFixed(path);
    // Pages of one address in all languages are chosen by what the browser asks for.
    if (!page || page.english) return undefined;
    const made = ofPages.get(page) ?? pageAnswer(page, securityHeaders(path));
    ofPages.set(page, made);
    return made;
  };
  server.removeAllListeners('request').on('request', (request, response) => {
    const answer = isPlain(request) ? find(pathOf(request.url ?? '')) : undefined;
    if (!answer) return others?.(request, response);
    const id = requestIdOf(request.headers['x-request-id']);
    Object.assign(request, { id });
    runForRequest(id, async () => answer(request, response, id)).then(
      (isAnswered) => isAnswered || others?.(request, response),
      () => others?.(request, response),
    );
  });
}

/** Whether a request needs none of what the framework looks at: one Host header, no body, and the whole answer whatever the browser has. */
function isPlain(request: IncomingMessage): boolean {
  const { method, headers } = request;
  if (method !== 'GET' || headers['if-none-match'] !== undefined || headers.range !== undefined) return false;
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return false;
  return hostsOf(request) === 1;
}

/** How many Host headers a request has; Node's own list of each header's values is made of all of them. */
export function hostsOf({ rawHeaders }: IncomingMessage): number {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/** Counts as the guards do what costs nothing but memory. */
const cost: CallCost = endpointCosts.getRates;

function rateAnswer(
  app: NestExpressApplication,
  { log }: Pick<Parts, 'log'>,
  { build, security }: { build: string; security: Headers },
): Answer {
  const express = app.getHttpAdapter().getInstance();
  const [rates, limits] = [app.get(PublicRates), app.get(RateLimits)];
  let made = { body: '', etag: '' };
  return async (request, response, id) => {
    const startedAt = performance.now();
    const network = networkOf({ ip: addressOf(request, express.get('trust proxy fn')) });
    let body: string;
    try {
      await limits.take('callsPerNetwork', network);
      await limits.take(`${cost}CallsPerNetwork`, network);
      body = JSON.stringify(toRateBoard((await rates.current()).rates));
    } catch {
      return false;
    }
    if (made.body !== body) made = { body, etag: express.get('etag fn')(body) };
    const headers = {
      ...security,
      ...{ 'X-Request-Id': id, 'X-Build': build, 'Cache-Control': 'no-store', Vary: 'Accept-Encoding' },
      ...{ 'Content-Type': 'application/json; charset=utf-8', ETag: made.etag },
      'Content-Length': Buffer.byteLength(body),
    };
    response.writeHead(200, headers).end(body);
    const responseTime = Math.round(performance.now() - startedAt);
    const req = { id, method: request.method, path: routes.getRates.path };
    log.info({ req, res: { statusCode: 200 }, responseTime }, 'answered');
    return true;
  };
}

/** Accept-Encoding takes brotli whatever else it takes; with weights it is negotiated elsewhere. */
const takesBrotli = /(^|,)\s*br\s*(,|$)/;

function pageAnswer({ canonical, document }: Page, security: Headers): Answer {
  const headers = {
    ...security,
    ...{ 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding', 'Content-Encoding': 'br' },
    ...{ 'Content-Type': 'text/html; charset=utf-8', ETag: `"${document.tag}-br"` },
    ...(canonical ? { Link: `<${canonical}>; rel="canonical"` } : { 'X-Robots-Tag': 'noindex' }),
  };
  return ({ headers: asked }, response, id) => {
    const accepts = asked.accept ?? '*/*';
    const isPage = accepts.startsWith('text/html') || accepts === '*/*';
    if (!isPage || !takesBrotli.test(asked['accept-encoding'] ?? '')) return false;
    const body = document.brotli;
    response.writeHead(200, { ...headers, 'X-Request-Id': id, 'Content-Length': body.length }).end(body);
    return true;
  };
}
