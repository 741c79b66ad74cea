import type { LoggerService } from '@nestjs/common';
import type { Request } from 'express';
import { pinoHttp } from 'pino-http';
import type { Logger } from '#platform/logging';

/** One line per call of the api: method, path without its query (searches name people), status and time in ms. */
export function requestLog(log: Logger) {
  return pinoHttp<Request>({
    logger: log,
    autoLogging: { ignore: (request) => !/^\/(api|ops)\b/.test(request.url) || request.url.startsWith('/api/health/') },
    serializers: {
      req: ({ id, method, url }: { id: string; method: string; url: string }) => ({
        id,
        method,
        path: url.split('?')[0],
      }),
      res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
      err: ({ type }: { type: string }) => ({ type }),
    },
    customSuccessMessage: () => 'answered',
    customErrorMessage: () => 'answered with a server error',
  });
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
