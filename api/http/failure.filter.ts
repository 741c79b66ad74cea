import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Failure } from '#core/contracts/failures';
import type { Logger } from '#platform/logging';
import { LOG } from '../tokens.ts';
import { failureResponseOf } from './failure-responses.ts';
import { toFailure } from './failures.ts';
import { allowedMethods } from './routes.ts';
import type { CallRequest } from './serve.ts';

/** The one place where a failure of any kind becomes an answer: its status, and `{code, message, ...details}`. */
@Catch()
export class FailureFilter implements ExceptionFilter {
  constructor(@Inject(LOG) private readonly log: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    if (host.getType() !== 'http') return;
    const http = host.switchToHttp();
    answerFailure(error, http.getRequest<Request>(), http.getResponse<Response>(), this.log);
  }
}

/** Answers a failed request. Unexpected errors are logged by kind and place, never with their data. */
export function answerFailure(error: unknown, request: Request, response: Response, log: Logger): void {
  let failure = toFailure(error);
  if (failure.code === 'internal') log.error({ path: request.path, ...kindOf(error) }, 'a request failed unexpectedly');
  if (failure.code === 'unavailable') log.warn({ path: request.path, ...kindOf(error) }, 'a back end is not reachable');
  if (response.headersSent) {
    response.end();
    return;
  }
  if (failure.code === 'not_found') {
    const allowed = allowedMethods(request.path);
    if (allowed.length > 0 && !allowed.includes(request.method === 'HEAD' ? 'GET' : request.method)) {
      response.setHeader('Allow', allowed.join(', '));
      failure = new Failure('method_not_allowed');
    }
  }
  const { details } = failure;
  // For the line that the request log writes of it.
  response.locals.refusal = { refused: failure.code, personId: (request as CallRequest).person?.user.id };
  if ('retryAfterSeconds' in details) response.setHeader('Retry-After', String(details.retryAfterSeconds));
  response.setHeader('Cache-Control', 'no-store');
  const { status, message } = failureResponseOf(failure);
  // People report internal errors to support, who find them in the log by this reference.
  const reference = isOurs(failure) ? { reference: String(response.getHeader('X-Request-Id')) } : {};
  response.status(status).json({ code: failure.code, message, ...details, ...reference });
}

function isOurs({ code }: Failure): boolean {
  return code === 'internal' || code === 'unavailable';
}

/** Messages of drivers quote the data of the statement, so only name, code and place are kept. */
function kindOf(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { kind: typeof error };
  const places = error.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return {
    kind: error.name,
    errorCode: 'code' in error ? error.code : undefined,
    constraint: 'constraint' in error ? error.constraint : undefined,
    // Thrown by our own code with a fixed text; drivers' errors carry a code.
    reason: error.constructor === Error || error instanceof TypeError ? error.message : undefined,
    places: places?.slice(0, 12).map((line) => line.trim()),
  };
}
