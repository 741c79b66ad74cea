import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { DriverException } from '@mikro-orm/core';
import { type Logger, pino } from 'pino';
import { currentRequestId } from './request-id.ts';
import { currentTraceId } from './telemetry/tracing.ts';

export type { Logger };

/**
 * One JSON line per event on stdout, with the ids of the request and the trace that led to it. Nothing personal and no secret is passed to it on purpose; the redaction is a net for
 * what libraries attach by themselves, and of an error only what tells where it came from is kept.
 */
export function createLogger(process: 'api' | 'worker' | 'platform', level: string): Logger {
  return pino({
    level,
    base: { process },
    mixin: requestOfLine,
    serializers: { err: describeError },
    redact: { paths: ['req.headers', 'res.headers', 'req.body', '*.password', '*.email', '*.token'], remove: true },
  });
}

/**
 * Resolves once the last info line is written, or after `maxMs`. Await it before the process exits: otherwise pino
 * retries pending writes until they succeed, which never happens if the reader of the log is gone.
 */
export async function logWritten(log: Logger, maxMs: number): Promise<void> {
  const stream: unknown = Reflect.get(log, pino.symbols.streamSym);
  if (!(stream instanceof EventEmitter) || !log.isLevelEnabled('info')) return;
  const late = new AbortController();
  // A closed reader emits no event: pino drops all further lines.
  await Promise.race([
    once(stream, 'drain', { signal: late.signal }),
    delay(maxMs, undefined, { signal: late.signal }),
  ]).catch(() => undefined);
  late.abort();
}

/** Interval for the summary line of repeated warnings, in ms. */
const repeatedMs = 10_000;

/** Logs warnings that may come thousands of times a second: the first at once, and those that follow within some time as one line with their count. */
export class RepeatedWarnings {
  readonly #log: Logger;
  readonly #repeated = new Map<string, number>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** `key` identifies repeated warnings. */
  warn(key: string, details: Record<string, unknown>, message: string): void {
    const times = this.#repeated.get(key);
    if (times !== undefined) {
      this.#repeated.set(key, times + 1);
      return;
    }
    this.#log.warn(details, message);
    this.#repeated.set(key, 0);
    setTimeout(() => {
      const repeated = this.#repeated.get(key) ?? 0;
      this.#repeated.delete(key);
      if (repeated > 0) this.#log.warn({ ...details, repeated }, message);
    }, repeatedMs).unref();
  }
}

/** What every line says of the request that led to it. */
export function requestOfLine(): { readonly requestId?: string; readonly traceId?: string } {
  const [requestId, traceId] = [currentRequestId(), currentTraceId()];
  return { ...(requestId !== undefined && { requestId }), ...(traceId !== undefined && { traceId }) };
}

/** Errors of Stripe and of the database carry whole requests and rows; those stay out of the log. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return {
    type: error.name,
    ...(error instanceof DriverException
      ? { message: withoutStatement(error), constraint }
      : { message: error.message }),
    ...(code === undefined ? {} : { code }),
    // Its first lines repeat the message.
    stack: error.stack?.split('\n').filter((line) => /^\s+at /.test(line)),
  };
}

/** Error code raised by our own triggers; their messages contain only ids and amounts. */
const raisedByUs = 'P0001';

/** The database's errors quote the statement with its data, and often a value again. */
function withoutStatement(error: DriverException): string {
  if (error.code !== raisedByUs) return 'a statement failed in the database';
  return error.message.slice(error.message.lastIndexOf(' - ') + 3);
}
