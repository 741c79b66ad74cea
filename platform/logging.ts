import { type Logger, pino } from 'pino';

/**
 * One JSON line per event on stdout. Secrets and personal data are never passed to it on purpose; the redaction is a net
 * for what libraries attach by themselves.
 */
export function createLogger(room: 'api' | 'worker' | 'platform', level: string): Logger {
  return pino({
    level,
    base: { room },
    redact: {
      paths: [
        'req.headers',
        'res.headers',
        'req.body',
        '*.password',
        '*.email',
        '*.token',
        '*.clientSecret',
        '*.client_secret',
      ],
      remove: true,
    },
  });
}
export type { Logger };
