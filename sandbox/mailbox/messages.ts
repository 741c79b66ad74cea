/** Stored messages (the newest 200) and how the next deliveries are answered. */
import PostalMime, { type Address, type Email } from 'postal-mime';
import { z } from 'zod';
import type { SandboxContext } from '../context.ts';
import { newId } from '../ids.ts';

/** Older messages are deleted. */
const KEPT = 200;

export interface Message {
  id: string;
  /** The Message-ID header; the same one twice is one message sent twice. */
  messageId: string | null;
  from: string;
  /** Envelope recipients, whatever the headers say. */
  to: string[];
  subject: string;
  text: string;
  html: string | null;
  /** Milliseconds since the epoch, sandbox time. */
  receivedAt: number;
}

/** What a raw message says. One that cannot be read is shown as it came. */
async function readMessage(raw: string): Promise<Omit<Message, 'id' | 'to' | 'receivedAt'>> {
  const bytes = Buffer.from(raw, 'base64');
  const email = await PostalMime.parse(bytes).catch(() => ({ text: bytes.toString() }) as Email);
  return {
    messageId: email.messageId ?? null,
    from: email.from ? addressText(email.from) : '',
    subject: email.subject ?? '',
    text: email.text ?? '',
    html: email.html ?? null,
  };
}

function addressText({ name, address }: Address): string {
  return name && address ? `${name} <${address}>` : (address ?? name);
}

/** An unparsed message: parsing costs more than receiving, and most messages are never read. */
type Unread = Pick<Message, 'id' | 'to' | 'receivedAt'> & { raw: string };

/** Keeps a raw message. Must run in a transaction. */
export function keepMessage(context: SandboxContext, { to, raw }: { to: string[]; raw: Buffer }): void {
  const kept: Unread = { id: newId('mail_'), to, receivedAt: context.clock.millis(), raw: raw.toString('base64') };
  context.storage.run('INSERT INTO mails (id, body) VALUES (?, ?)', kept.id, JSON.stringify(kept));
  context.storage.run('DELETE FROM mails WHERE seq <= (SELECT max(seq) FROM mails) - ?', KEPT);
}

/** Newest first; those of one recipient when given. */
export function listMessages(
  context: SandboxContext,
  { to, limit }: { to?: string | undefined; limit: number },
): Promise<Message[]> {
  const rows = context.storage.all(
    `SELECT body FROM mails WHERE ?1 IS NULL OR EXISTS
       (SELECT 1 FROM json_each(mails.body, '$.to') WHERE lower(value) = lower(?1))
     ORDER BY seq DESC LIMIT ?2`,
    ...[to ?? null, limit],
  );
  return Promise.all(
    rows.map(async ({ body }) => {
      const stored = JSON.parse(String(body)) as Unread | Message;
      if (!('raw' in stored)) return stored;
      const { raw, ...known } = stored;
      const message = { ...known, ...(await readMessage(raw)) };
      context.storage.run('UPDATE mails SET body = ? WHERE id = ?', JSON.stringify(message), message.id);
      return message;
    }),
  );
}

export const mailModeSchema = z.strictObject({
  /** How many of the next messages are refused. */
  refuseNext: z.int().min(0).max(1000).default(0),
  /** `temporary`: busy, try again (451). `permanent`: no such mailbox (550). */
  refusal: z.enum(['temporary', 'permanent']).default('temporary'),
});
export type MailMode = z.infer<typeof mailModeSchema>;

const SETTING = 'mail_mode';

export function mailMode(context: SandboxContext): MailMode {
  return context.storage.setting<MailMode>(SETTING, mailModeSchema.parse({}));
}

/** Must run in a transaction. */
export function setMailMode(context: SandboxContext, mode: MailMode): void {
  context.storage.setSetting(SETTING, mode);
}

/** How the incoming message is refused, if at all; counts it. Must run in a transaction. */
export function takeRefusal(context: SandboxContext): MailMode['refusal'] | null {
  const mode = mailMode(context);
  if (mode.refuseNext === 0) return null;
  setMailMode(context, { ...mode, refuseNext: mode.refuseNext - 1 });
  return mode.refusal;
}
