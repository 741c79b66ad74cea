import { join } from 'node:path';
import 'reflect-metadata';
import { constants } from 'node:zlib';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import compression from 'compression';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { LiveAdapter } from '#platform/live/adapter';
import type { Queues } from '#platform/queues/queues';
import { QUEUES } from '#platform/queues/queues.module';
import { adminsOnly } from './access/admins-only.ts';
import { Sessions } from './access/sessions.ts';
import { AppModule } from './app.module.ts';
import { restDropper } from './http/bodies.ts';
import { answerFailure } from './http/failure.filter.ts';
import { openApiDocument } from './http/openapi.ts';
import { identifyRequests, nestLogger, requestLog } from './http/request-log.ts';
import { observeRequests } from './http/request-metrics.ts';
import { LiveIoAdapter } from './live/live-adapter.ts';
import { serveQueueBoard } from './queue-board/queue-board.ts';
import type { Parts } from './tokens.ts';
import { readPages } from './web/pages.ts';
import { securityHeadersOf, setSecurityHeaders } from './web/security-headers.ts';
import { serveWebFiles } from './web/web-files.ts';

/** Of 0 to 11: a caller waits while an answer is compressed. */
const brotliQuality = 5;

/**
 * How long (ms) an idle connection is kept: longer than proxies do, usually 60 s. Who closes first must be the one that sends, or a
 * request that is on its way at that moment is lost.
 */
const idleConnectionMs = 75_000;

/** Makes the api, ready to listen. `webDirectory` holds the built web app. */
export async function createServer(
  parts: Parts & { live: LiveAdapter; webDirectory: string },
): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.register(parts), {
    bodyParser: false,
    abortOnError: false,
    logger: nestLogger(parts.log),
  });
  // Limits count by the caller's address, so X-Forwarded-For is only trusted from configured proxies.
  app.set('trust proxy', [...parts.env.trustedProxies]);
  app.set('query parser', 'simple');
  app.disable('x-powered-by');
  app.getHttpServer().keepAliveTimeout = idleConnectionMs;
  const pages = readPages(parts.webDirectory, parts.env);
  if (parts.env.metrics || parts.env.tracing) observeRequests(app.getHttpServer());
  const dropRest = restDropper();
  app.use((request: Request, response: Response, next: NextFunction) => {
    dropRest(request, response);
    next();
  });
  app.use(identifyRequests());
  app.use(requestLog(parts.log));
  app.use(requireOneHost);
  app.use(setSecurityHeaders(securityHeadersOf(parts.env, pages)));
  app.use(compressAnswers());
  const secure = parts.env.publicUrl.startsWith('https:');
  serveWebFiles(app, { directory: join(parts.webDirectory, 'client'), pages, secure });
  answerFailures(app, parts);
  serveQueueBoard(app, { ...parts, queues: app.get<Queues>(QUEUES) });
  app.useWebSocketAdapter(new LiveIoAdapter(app, parts.live, parts));
  serveDocumentation(app, parts);
  return app;
}

/**
 * Refuses requests with several Host headers, as HTTP demands (RFC 9112, 3.2): a proxy may read another one than we do. Those without any
 * Node itself refuses.
 */
function requireOneHost(request: Request, response: Response, next: NextFunction): void {
  if ((request.headersDistinct.host ?? []).length > 1) response.status(400).set('Connection', 'close').end();
  else next();
}

/**
 * Compresses text longer than a kilobyte, JSON of the api above all; files of the web app come compressed from the build.
 *
 * Compression can leak a secret to a site that makes a browser request, again and again, an answer with both the secret and a
 * guess in it (BREACH). Not here: no body has the session's secret, other sites' requests come without the cookie
 * (SameSite=Lax), and a provider's secret is only in answers to POST, which other sites may not send. Sockets are not
 * compressed.
 */
function compressAnswers(): RequestHandler {
  return compression({ brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } } });
}

/** Describes every call at /api/docs: to everybody in test mode, to admins only where money is real. */
function serveDocumentation(app: NestExpressApplication, parts: Parts): void {
  const paths = ['/api/docs', '/api/docs-json', '/api/docs-yaml'];
  if (parts.env.mode === 'live') app.use(paths, adminsOnly(app, parts));
  // Generated on first request, so that it does not delay the start.
  const document = () => openApiDocument(parts.env.publicUrl, app.get(Sessions).cookieName);
  SwaggerModule.setup('api/docs', app, document, { jsonDocumentUrl: 'api/docs-json' });
}

/** Responds to failures outside of handlers. */
function answerFailures(app: NestExpressApplication, { log }: Parts): void {
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    answerFailure(error, request, response, log);
  });
}
