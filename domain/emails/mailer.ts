import { createTransport } from 'nodemailer';
import type { NodemailerError } from 'nodemailer/lib/errors';
import type { MailConfiguration } from '#platform/configuration/worker';
import type { EmailMessage } from './email-templates.ts';

/** Longest waits for the mail server, in ms. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/**
 * Connections stay open for the next e-mails, because a mail server greets a new one only after a while. So many at once, and they close
 * after being idle for so long (ms).
 */
const pool = { pool: true, maxConnections: 8, idleTimeout: 10_000 } as const;

/** Hands e-mails to the mail server. */
export interface Mailer {
  /**
   * Sends a message. The Message-ID follows from `id`, so that mail programs recognize a repetition.
   * @returns false when the server refuses the recipient's address for good.
   * @throws Error, without any address in it, when it may succeed later: the server is not reachable, busy, or refuses us.
   */
  send(id: string, to: string, message: EmailMessage): Promise<boolean>;
  /** Closes its connections. What is being sent is sent. */
  close(): void;
}

/** Speaks SMTP, or null while no server is configured. */
export function connectMailServer(env: MailConfiguration): Mailer | null {
  if (env.smtpUrl === undefined) return null;
  const transport = createTransport(
    {
      url: env.smtpUrl,
      requireTLS: env.requiresTls,
      ...pool,
      ...timeouts,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    // Given here, because finding out the best encoding of every e-mail costs more than sending it.
    { from: env.from, headers: { 'Auto-Submitted': 'auto-generated' }, encoding: 'quoted-printable' },
  );
  const domain = /@([^\s>]+)>?\s*$/.exec(env.from)?.[1] ?? 'localhost';
  return {
    async send(id, to, message) {
      try {
        await transport.sendMail({ messageId: `<${id}@${domain}>`, to, ...message });
        return true;
      } catch (error) {
        const { code, responseCode, response } = error as NodemailerError;
        if (isUnknownAddress(code, responseCode, response)) return false;
        // The server's own words may name the recipient, and the queue keeps and shows messages.
        throw new Error(`the mail server did not take it (${[code, responseCode].filter(Boolean).join(' ')})`);
      }
    },
    close: () => transport.close(),
  };
}

/**
 * Whether the server refused the recipient's address itself. Other permanent refusals (relaying denied, a blocked sender, a
 * policy: 5.7.x of RFC 3463) come from our configuration and end when it is corrected.
 */
function isUnknownAddress(code?: string, responseCode?: number, response?: string): boolean {
  if (code !== 'EENVELOPE' || !responseCode || ![550, 551, 553].includes(responseCode)) return false;
  const status = /\b5\.(\d+)\.\d+\b/.exec(response ?? '');
  return status === null || status[1] === '1' || status[1] === '2';
}
