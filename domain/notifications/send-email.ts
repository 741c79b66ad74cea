import { NonRetryableError } from '#platform/queues/retry';
import { findUser } from '../accounts/account.repository.ts';
import { createResetLink } from '../accounts/password-reset.repository.ts';
import type { JobContext } from '../job-context.ts';
import {
  claimDueEmails,
  claimEmail,
  type DueEmail,
  type Email,
  finishEmail,
  finishSentEmails,
  removeEmail,
} from './email.repository.ts';
import { emailKinds } from './email-kinds.ts';
import { type EmailMessage, renderEmail } from './email-templates.ts';
import type { Mailer } from './mailer.ts';

/**
 * Sends one e-mail. It is claimed first and sent outside of any transaction: a slow mail server holds no row lock. Only a worker
 * that dies between the server's answer and its record sends again, under the same Message-ID. It is written now, in the language
 * that its person reads now.
 * @throws NonRetryableError when the server refuses the address for good; Error when the next attempt may succeed.
 */
export async function sendEmail(context: JobContext, mailId: string): Promise<void> {
  const { database, mailer, now } = context;
  if (!mailer) {
    context.log.warn({ mailId }, 'an e-mail stays unsent: no SMTP_URL');
    return;
  }
  const email = await database.transaction((em) => claimEmail(em, mailId, now()));
  if (!email) return;
  const finish = (result: Parameters<typeof finishEmail>[2]) =>
    database.transaction((em) => finishEmail(em, mailId, result, now()));
  try {
    const token = await tokenFor(context, email);
    const user = await findUser(database.fork(), email.userId);
    if (token === null || !user) {
      // The link would open nothing any more.
      await database.transaction((em) => removeEmail(em, mailId));
      return;
    }
    const message = await render(context, email, user, token);
    if (await mailer.send(email.id, user.email, message)) return await finish('sent');
  } catch (error) {
    await finish('unclaimed');
    throw error;
  }
  await finish('refused');
  throw new NonRetryableError('the mail server refused the address for good');
}

/**
 * The secret that an e-mail carries, created now and committed before it can leave: neither its row nor a job ever holds it.
 * @returns undefined for kinds without one, null when it would open nothing any more.
 */
async function tokenFor({ database, now }: JobContext, email: Email): Promise<string | null | undefined> {
  if (email.kind !== 'password_recovery') return undefined;
  const { resetId } = emailKinds.password_recovery.parse(email.data);
  return database.transaction((em) => createResetLink(em, resetId, now()));
}

/** E-mails claimed at once. */
const batchSize = 50;
/** E-mails handed to the mail server at the same time. */
const width = 4;

/**
 * Sends every e-mail that steps of transfers wrote, batch after batch, each as `sendEmail` does. What fails stays claimed; the sweep asks for
 * it again.
 */
export async function sendDueEmails(context: JobContext): Promise<void> {
  const { database, mailer, now } = context;
  if (!mailer) return;
  for (let more = true; more; ) {
    const due = await database.statement((em) => claimDueEmails(em, { now: now(), limit: batchSize }));
    more = due.length === batchSize;
    const sent: string[] = [];
    const queue = due.values();
    const lane = async () => {
      for (const one of queue) if (await sendClaimed(context, mailer, one)) sent.push(one.email.id);
    };
    await Promise.all(Array.from({ length: Math.min(width, due.length) }, lane));
    if (sent.length > 0) await database.statement((em) => finishSentEmails(em, sent, now()));
  }
}

/** Returns whether the mail server took it. */
async function sendClaimed(context: JobContext, mailer: Mailer, { email, reader }: DueEmail): Promise<boolean> {
  const { database, now } = context;
  try {
    if (await mailer.send(email.id, reader.email, await render(context, email, reader))) return true;
    await database.transaction((em) => finishEmail(em, email.id, 'refused', now()));
  } catch (error) {
    context.log.warn({ err: error, mailId: email.id }, 'an e-mail could not be sent; it is tried again');
  }
  return false;
}

function render(
  { publicUrl }: JobContext,
  { kind, data }: Email,
  { name, emailVerifiedAt, locale }: DueEmail['reader'],
  token?: string,
): Promise<EmailMessage> {
  const to = { name: emailVerifiedAt == null ? null : name, locale, publicUrl, ...(token && { token }) };
  return renderEmail(kind, data, to);
}
