import { NonRetryableError } from '#platform/queues/retry';
import { findUser } from '../accounts/account.repository.ts';
import { createResetLink } from '../accounts/password-reset.repository.ts';
import type { JobContext } from '../job-context.ts';
import { claimEmail, type Email, emailKinds, finishEmail, removeEmail } from './email.repository.ts';
import { renderEmail } from './email-templates.ts';

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
    const name = user.emailVerifiedAt == null ? null : user.name;
    const message = renderEmail(email.kind, email.data, {
      name,
      locale: user.locale,
      publicUrl: context.publicUrl,
      ...(token && { token }),
    });
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
