import type { EntityManager } from '#platform/database/database';
import { GroupCommit } from '#platform/database/group-commit';
import { Runner } from '#platform/outbox/runner';
import { createEmailChangeLink } from '../accounts/email-change.repository.ts';
import { createResetLink } from '../accounts/password-reset.repository.ts';
import type { JobContext } from '../job-context.ts';
import {
  type DueEmail,
  type EmailOutcome,
  removeEmail,
  takeDueEmails,
  writeEmailOutcomes,
} from './email.repository.ts';
import { emailKinds } from './email-kinds.ts';
import { renderEmail } from './email-templates.ts';
import type { Mailer } from './mailer.ts';

/**
 * E-mails under way at once, so that connections (mailer.ts) do not wait for the next one. Few, because each takes a millisecond to be
 * written: what moves money does not wait for a burst of them.
 */
const width = 16;

/**
 * Sends e-mails that are due. They are taken first and sent outside of any transaction: a slow mail server holds no row lock, and an e-mail
 * that cannot be sent holds up no other. Only what a worker that dies has not written down is sent again, under the same Message-ID.
 * An e-mail is written when it is sent, in the language that its person reads then.
 */
export class EmailRunner extends Runner<DueEmail> {
  constructor(context: JobContext, mailer: Mailer) {
    const { database, log, now, presence: takenBy } = context;
    // What is sent while others are written down is written down together.
    const outcomes = new GroupCommit<EmailOutcome>(async (some) => {
      await database.statement((em) => writeEmailOutcomes(em, some, now()));
      return [];
    });
    super({
      width,
      take: (limit) => database.statement((em) => takeDueEmails(em, { now: now(), takenBy, limit })),
      attempt: async (due) => {
        const { email } = due;
        const result = await send(context, mailer, due);
        if (!result) return;
        await outcomes.add({ email, result }).catch((error: unknown) => {
          // Our own database: its lease ends, and it is sent again.
          log.error({ err: error, mailId: email.id }, 'what became of an e-mail could not be written down');
        });
      },
    });
  }
}

/** Returns what became of it, or null when there is nothing to send and it was removed. */
async function send(context: JobContext, mailer: Mailer, due: DueEmail): Promise<EmailOutcome['result'] | null> {
  const { log } = context;
  const { id: mailId, attempts } = due.email;
  try {
    const token = await tokenFor(context, due);
    if (token === null) return null;
    if (await mailer.send(mailId, due.reader.email, await render(context, due, token))) return 'sent';
    log.warn({ mailId }, 'the mail server refused an address for good');
    return 'refused';
  } catch (error) {
    log.warn({ err: error, mailId, attempts }, 'an e-mail could not be sent; it is tried again for two days');
    return 'failed';
  }
}

/**
 * The secret that an e-mail carries, created now and committed before it can leave: neither its row nor a job ever holds it.
 * @returns undefined for kinds without one, null when it would open nothing any more: then the e-mail is removed.
 */
async function tokenFor({ database, now }: JobContext, { email }: DueEmail): Promise<string | null | undefined> {
  const create = tokenMakers[email.kind as keyof typeof tokenMakers];
  if (!create) return undefined;
  return database.transaction(async (em) => {
    const token = await create(em, email.data, now());
    if (token === null) await removeEmail(em, email.id);
    return token;
  });
}

/** Of the kinds that carry a secret. */
const tokenMakers = {
  password_recovery: (em: EntityManager, data: unknown, at: Date) =>
    createResetLink(em, emailKinds.password_recovery.parse(data).resetId, at),
  email_change: (em: EntityManager, data: unknown, at: Date) =>
    createEmailChangeLink(em, { changeId: emailKinds.email_change.parse(data).changeId, purpose: 'confirm', at }),
  email_changed: async (em: EntityManager, data: unknown, at: Date) => {
    const { changeId, undoUntil } = emailKinds.email_changed.parse(data);
    // Without a way back it tells of the change all the same.
    return undoUntil === null ? undefined : createEmailChangeLink(em, { changeId, purpose: 'undo', at });
  },
};

function render({ publicUrl, company }: JobContext, { email, reader }: DueEmail, token: string | undefined) {
  const { name, emailVerifiedAt, locale } = reader;
  const to = { name: emailVerifiedAt == null ? null : name, locale, publicUrl, company, ...(token && { token }) };
  return renderEmail(email.kind, email.data, to);
}
