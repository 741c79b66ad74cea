import { type Logger, pino } from 'pino';

export type { Logger };

/**
 * One JSON line per event on stdout. Nothing personal and no secret is passed to it on purpose; the redaction is a net for
 * what libraries attach by themselves, and of an error only what tells where it came from is kept.
 */
export function createLogger(room: 'api' | 'worker' | 'platform', level: string): Logger {
  return pino({
    level,
    base: { room },
    serializers: { err: describeError },
    redact: { paths: ['req.headers', 'res.headers', 'req.body', '*.password', '*.email', '*.token'], remove: true },
  });
}

/** Errors of Stripe and of the database carry whole requests and rows; those stay out of the log. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code } = error as { code?: unknown };
  return { type: error.name, message: error.message, ...(code === undefined ? {} : { code }), stack: error.stack };
}
