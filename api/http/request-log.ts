import type { LoggerService } from '@nestjs/common';
import type { RequestHandler, Response } from 'express';
import type { Logger } from '#platform/logging';
import { requestIdOf, runForRequest } from '#platform/request-id';

declare module 'node:http' {
  interface IncomingMessage {
    /** The request id in the response, its log lines and the resulting work. */
    id?: string;
  }
}

/**
 * Gives every request an id, or keeps the one that a proxy gave it. The answer tells it (X-Request-Id), and so do all log lines, jobs and pushes
 * that the request leads to.
 */
export function identifyRequests(): RequestHandler {
  return (request, response, next) => {
    const id = requestIdOf(request.headers['x-request-id']);
    request.id = id;
    response.setHeader('X-Request-Id', id);
    runForRequest(id, next);
  };
}

/** One line per call of the api: method, path without its query (searches name people), status, time in ms, and of a refused call its code and the caller's id. */
export function requestLog(log: Logger): RequestHandler {
  return (request, response, next) => {
    const { id, method, url } = request;
    if (/^\/(api|ops)\b/.test(url) && !url.startsWith('/api/health/')) {
      const startedAt = performance.now();
      response.once('close', () => {
        const { statusCode } = response;
        const responseTime = Math.round(performance.now() - startedAt);
        const req = { id, method, path: url.split('?', 1)[0] };
        const message = statusCode < 500 ? 'answered' : 'answered with a server error';
        log.info({ req, ...refusalOf(response), res: { statusCode }, responseTime }, message);
      });
    }
    next();
  };
}

const refusalOf = (response: Response) => response.locals?.refusal as object | undefined;

/** Nest's own messages in our log; those of start-up at debug level. */
export function nestLogger(log: Logger): LoggerService {
  return {
    log: (message: unknown) => log.debug(String(message)),
    error: (message: unknown) => log.error(String(message)),
    warn: (message: unknown) => log.warn(String(message)),
    debug: (message: unknown) => log.debug(String(message)),
    verbose: (message: unknown) => log.trace(String(message)),
    fatal: (message: unknown) => log.fatal(String(message)),
  };
}
