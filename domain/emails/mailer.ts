import { createTransport } from 'nodemailer';
import type { NodemailerError } from 'nodemailer/lib/errors';
import type { MailConfiguration } from '#platform/configuration/worker';
import type { EmailMessage } from './email-templates.ts';

/** Timeouts of the mail server, in ms. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/**
 * Connections are pooled, because a mail server delays its greeting to new ones. Maximum connections, and idle timeout
 * in ms.
 */
const pool = { pool: true, maxConnections: 8, idleTimeout: 10_000 } as const;

/** Sends e-mails through the mail server. */
export interface Mailer {
  /**
   * Sends a message. The Message-ID derives from `id`, so that mail programs recognize duplicates.
   * @returns false when the server permanently rejects the recipient's address.
   * @throws Error, without any address in it, when a retry may succeed: the server is unreachable or busy, or rejects
   * us.
   */
  send(id: string, to: string, message: EmailMessage): Promise<boolean>;
  /** Closes the connections after finishing what is being sent. */
  close(): void;
}

/** An SMTP client, or null while no server is configured. */
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
    // Fixed, because detecting the best encoding of every e-mail costs more than sending it.
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
        // The server's message may contain the recipient, and the queue stores and shows error messages.
        throw new Error(`the mail server rejected it (${[code, responseCode].filter(Boolean).join(' ')})`);
      }
    },
    close: () => transport.close(),
  };
}

/**
 * Whether the server rejected the recipient's address itself. Other permanent errors (relaying denied, a blocked
 * sender, a policy: 5.7.x of RFC 3463) come from our configuration and end when it is corrected.
 */
function isUnknownAddress(code?: string, responseCode?: number, response?: string): boolean {
  if (code !== 'EENVELOPE' || !responseCode || ![550, 551, 553].includes(responseCode)) return false;
  const status = /\b5\.(\d+)\.\d+\b/.exec(response ?? '');
  return status === null || status[1] === '1' || status[1] === '2';
}
