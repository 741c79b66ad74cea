import { LockMode } from '@mikro-orm/core';
import { NonRetryableError } from '#platform/queues/retry';
import { User } from '../accounts/account.entity.ts';
import { makeRecoveryLink } from '../accounts/password-resets.ts';
import type { JobContext } from '../job-context.ts';
import { Mail } from './email.entity.ts';
import { mailKinds } from './email.repository.ts';
import { writeLetter } from './email-templates.ts';

/**
 * Sends one e-mail. Its row is locked meanwhile: of two jobs one finds nothing to do. Only a worker that dies between the server's
 * yes and the commit sends again, under the same Message-ID.
 * @throws NonRetryableError when the server refuses it for good; it is then never tried again.
 */
export async function sendMail(context: JobContext, mailId: string): Promise<void> {
  const token = await tokenFor(context, mailId);
  const refused = await context.database.transaction(async (em) => {
    const mail = await em.findOne(
      Mail,
      { id: mailId, sentAt: null, refusedAt: null },
      { lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
    );
    if (!mail) return false;
    if (!context.mailer) {
      context.log.warn({ mailId, kind: mail.kind }, 'an e-mail stays unsent: no SMTP_URL');
      return false;
    }
    if (token === null) {
      // A link that opens nothing any more is not worth sending.
      em.remove(mail);
      return false;
    }
    const user = await em.findOneOrFail(User, { id: mail.userId });
    const name = user.emailVerifiedAt == null ? null : user.name;
    const letter = writeLetter(mail.kind, mail.data, { name, publicUrl: context.publicUrl, ...(token && { token }) });
    const taken = await context.mailer.send(mail.id, user.email, letter);
    if (taken) mail.sentAt = context.now();
    else mail.refusedAt = context.now();
    return !taken;
  });
  if (refused) throw new NonRetryableError('the mail server refused it for good');
}

/**
 * The secret that an e-mail carries, made now and committed before it can leave: neither its row nor a job ever holds it.
 * @returns undefined for kinds without one, null when it would be worth nothing any more.
 */
async function tokenFor(context: JobContext, mailId: string): Promise<string | null | undefined> {
  if (!context.mailer) return undefined;
  const mail = await context.database.fork().findOne(Mail, { id: mailId, sentAt: null, refusedAt: null });
  if (mail?.kind !== 'password_recovery') return undefined;
  const { recoveryId } = mailKinds.password_recovery.parse(mail.data);
  return context.database.transaction((em) => makeRecoveryLink(em, recoveryId, context.now()));
}
