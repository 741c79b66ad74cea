import type { LoggerService } from '@nestjs/common';
import type { Request, RequestHandler, Response } from 'express';
import { pinoHttp } from 'pino-http';
import type { Logger } from '#platform/logging';
import { requestIdOf, runForRequest } from '#platform/request-id';

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
  const write = pinoHttp<Request>({
    logger: log,
    genReqId: ({ id }) => id,
    serializers: {
      req: ({ id, method, url }: { id: string; method: string; url: string }) => ({
        id,
        method,
        path: url.split('?')[0],
      }),
      res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
      err: ({ type }: { type: string }) => ({ type }),
    },
    customProps: (_request, response) => (response as Response).locals?.refusal,
    customSuccessMessage: () => 'answered',
    customErrorMessage: () => 'answered with a server error',
  });
  return (request, response, next) => {
    if (/^\/(api|ops)\b/.test(request.url) && !request.url.startsWith('/api/health/')) write(request, response);
    next();
  };
}

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
