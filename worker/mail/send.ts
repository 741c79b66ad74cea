import { LockMode } from '@mikro-orm/core';
import { mailKinds } from '#platform/database/mails';
import { makeRecoveryLink } from '#platform/database/recoveries';
import { Mail } from '#platform/database/schema/events';
import { User } from '#platform/database/schema/people';
import type { Engine } from '../engine.ts';
import { Hopeless } from '../retry.ts';
import { writeLetter } from './letters.ts';

/**
 * Sends one e-mail. Its row is locked meanwhile: of two jobs one finds nothing to do. Only a worker that dies between the server's
 * yes and the commit sends again, under the same Message-ID.
 * @throws Hopeless when the server refuses it for good; it is then never tried again.
 */
export async function sendMail(engine: Engine, mailId: string): Promise<void> {
  const token = await tokenFor(engine, mailId);
  const refused = await engine.database.transaction(async (em) => {
    const mail = await em.findOne(
      Mail,
      { id: mailId, sentAt: null, refusedAt: null },
      { lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE },
    );
    if (!mail) return false;
    if (!engine.mailer) {
      engine.log.warn({ mailId, kind: mail.kind }, 'an e-mail stays unsent: no SMTP_URL');
      return false;
    }
    if (token === null) {
      // A link that opens nothing any more is not worth sending.
      em.remove(mail);
      return false;
    }
    const user = await em.findOneOrFail(User, { id: mail.userId });
    const name = user.emailVerifiedAt == null ? null : user.name;
    const letter = writeLetter(mail.kind, mail.data, { name, publicUrl: engine.publicUrl, ...(token && { token }) });
    const taken = await engine.mailer.send(mail.id, user.email, letter);
    if (taken) mail.sentAt = engine.now();
    else mail.refusedAt = engine.now();
    return !taken;
  });
  if (refused) throw new Hopeless('the mail server refused it for good');
}

/**
 * The secret that an e-mail carries, made now and committed before it can leave: neither its row nor a job ever holds it.
 * @returns undefined for kinds without one, null when it would be worth nothing any more.
 */
async function tokenFor(engine: Engine, mailId: string): Promise<string | null | undefined> {
  if (!engine.mailer) return undefined;
  const mail = await engine.database.read().findOne(Mail, { id: mailId, sentAt: null, refusedAt: null });
  if (mail?.kind !== 'password_recovery') return undefined;
  const { recoveryId } = mailKinds.password_recovery.parse(mail.data);
  return engine.database.transaction((em) => makeRecoveryLink(em, recoveryId, engine.now()));
}
