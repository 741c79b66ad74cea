import type { EntityManager } from '#platform/database/database';
import { GroupCommit } from '#platform/database/group-commit';
import { Runner } from '#platform/outbox/runner';
import { createUndoLink } from '../accounts/account-change.repository.ts';
import { createEmailChangeLink } from '../accounts/email-change.repository.ts';
import { createEmailProof } from '../accounts/email-proof.repository.ts';
import { createResetLink } from '../accounts/password-reset.repository.ts';
import type { JobContext } from '../job-context.ts';
import {
  type DueEmail,
  type Email,
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
      requestId: ({ email }) => email.requestId,
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
    const secret = await secretFor(context, due);
    if (secret === null) return null;
    if (await mailer.send(mailId, due.reader.email, await render(context, due, secret))) return 'sent';
    log.warn({ mailId }, 'the mail server refused an address for good');
    return 'refused';
  } catch (error) {
    log.warn({ err: error, mailId, attempts }, 'an e-mail could not be sent; it is tried again for two days');
    return 'failed';
  }
}

/** What an e-mail carries that is stored as a hash only: the token of its link, and a code to type. */
interface Secret {
  readonly token?: string | undefined;
  readonly code?: string;
}

/**
 * The secret that an e-mail carries, created now and committed before it can leave: neither its row nor a job ever holds it.
 * @returns an empty one for kinds without, null when it would open nothing any more: then the e-mail is removed.
 */
async function secretFor({ database, now }: JobContext, { email }: DueEmail): Promise<Secret | null> {
  const create = secretMakers[email.kind as keyof typeof secretMakers];
  if (!create) return {};
  return database.transaction(async (em) => {
    const secret = await create(em, email, now());
    if (secret === null) await removeEmail(em, email.id);
    return secret;
  });
}

type UndoableKind = 'email_changed' | 'password_changed' | 'second_factor_changed' | 'new_device';

/** Of e-mails about a change that their link undoes; those without one are sent without. */
function undoLink(kind: UndoableKind) {
  return async (em: EntityManager, { data }: Email, at: Date): Promise<Secret | null> => {
    const { changeId, undoUntil } = emailKinds[kind].parse(data);
    return changeId === null || undoUntil === null ? {} : link(await createUndoLink(em, changeId, at));
  };
}

/** Of the kinds that carry a secret. */
const secretMakers = {
  password_recovery: async (em: EntityManager, { data }: Email, at: Date) =>
    link(await createResetLink(em, emailKinds.password_recovery.parse(data).resetId, at)),
  email_proof: (em: EntityManager, { userId }: Email, at: Date) => createEmailProof(em, { userId, at }),
  email_change: async (em: EntityManager, { data }: Email, at: Date) => {
    const { changeId } = emailKinds.email_change.parse(data);
    return link(await createEmailChangeLink(em, { changeId, at }));
  },
  email_changed: undoLink('email_changed'),
  password_changed: undoLink('password_changed'),
  second_factor_changed: undoLink('second_factor_changed'),
  new_device: undoLink('new_device'),
};

const link = (token: string | null): Secret | null => (token === null ? null : { token });

function render({ publicUrl, company }: JobContext, { email, reader }: DueEmail, { token, code }: Secret) {
  const { name, emailVerifiedAt, locale } = reader;
  const to = { name: emailVerifiedAt == null ? null : name, locale, publicUrl, company, ...(token && { token }) };
  return renderEmail(email.kind, code === undefined ? email.data : { code }, to);
}
