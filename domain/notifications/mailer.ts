import { createTransport } from 'nodemailer';
import type { NodemailerError } from 'nodemailer/lib/errors';
import type { MailConfiguration } from '#platform/configuration/worker';
import type { Letter } from './email-templates.ts';

/** Longest waits for the mail server, in ms. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** The mail server's door. */
export interface Mailer {
  /**
   * Hands a letter to the mail server. The Message-ID follows from `id`, so that a letter sent twice can be told as one.
   * @returns false when the server refuses this letter for good.
   * @throws Error without any address in it when it may go through later: not reachable, busy, or it does not know us.
   */
  send(id: string, to: string, letter: Letter): Promise<boolean>;
}

/** Speaks SMTP, or null while no server is configured. */
export function connectMail(env: MailConfiguration): Mailer | null {
  if (env.smtpUrl === undefined) return null;
  const transport = createTransport(
    { url: env.smtpUrl, ...timeouts, disableFileAccess: true, disableUrlAccess: true },
    { from: env.from, headers: { 'Auto-Submitted': 'auto-generated' } },
  );
  const domain = /@([^\s>]+)>?\s*$/.exec(env.from)?.[1] ?? 'localhost';
  return {
    async send(id, to, letter) {
      try {
        await transport.sendMail({ messageId: `<${id}@${domain}>`, to, ...letter });
        return true;
      } catch (error) {
        const { code, responseCode, permanent } = error as NodemailerError;
        // An unknown sender is our configuration's fault, not the letter's.
        if (permanent && code !== 'EAUTH') return false;
        // The server's own words may name the recipient, and the queue keeps and shows messages.
        throw new Error(`the mail server did not take it (${[code, responseCode].filter(Boolean).join(' ')})`);
      }
    },
  };
}
