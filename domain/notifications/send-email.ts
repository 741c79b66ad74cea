import type { RowJobData } from '#core/contracts/jobs';
import type { EntityManager } from '#platform/database/database';
import type { JobResult } from '#platform/outbox/row-jobs';
import { classifyError, NonRetryableError } from '#platform/queues/retry';
import { createUndoLink } from '../accounts/account-change.repository.ts';
import { beginEmail, type DueEmail, type Email, endEmailAttempt, removeEmail } from '../emails/email.repository.ts';
import { emailKinds } from '../emails/email-kinds.ts';
import { renderEmail } from '../emails/email-templates.ts';
import type { Mailer } from '../emails/mailer.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { createEmailChangeLink } from '../sign-in/email-change.repository.ts';
import { createEmailProof } from '../sign-in/email-proof.repository.ts';
import { createResetLink } from '../sign-in/password-reset.repository.ts';

/**
 * Sends a due e-mail, in the user's current language, outside any transaction, so that a slow mail server holds no row
 * lock. If a worker dies before recording the result, it is sent again under the same Message-ID. Without a mail server
 * the e-mail waits until one is configured. Returns when its job is to run again.
 * @throws NonRetryableError when it was given up.
 */
export async function sendEmail(context: JobContext, job: RowJobData): Promise<JobResult> {
  const { database, mailer, now, log } = context;
  if (!mailer) return undefined;
  const begun = await database.transaction((em) => beginEmail(em, job, now()));
  if (!begun) return undefined;
  if ('early' in begun) return begun.early;
  const { email } = begun;
  const outcome = await send(context, mailer, begun);
  if (!outcome) return undefined;
  const { result } = outcome;
  if (result === 'refused') log.warn({ mailId: email.id }, 'the mail server permanently rejected an address');
  const next = await database.transaction((em) => endEmailAttempt(em, email, result, now()));
  if (result !== 'failed' || next === undefined) return undefined;
  if (next === null) throw new NonRetryableError(outcome.error);
  return { at: next, error: outcome.error };
}

/** The result of an attempt: accepted, permanently rejected, or it may succeed later. */
type Outcome = { readonly result: 'sent' | 'refused' } | { readonly result: 'failed'; readonly error: string };

/** Returns null when there is nothing to send and the e-mail was removed. */
async function send(context: JobContext, mailer: Mailer, due: DueEmail): Promise<Outcome | null> {
  try {
    const secret = await secretFor(context, due);
    if (secret === null) return null;
    const isTaken = await mailer.send(due.email.id, due.reader.email, await render(context, due, secret));
    return { result: isTaken ? 'sent' : 'refused' };
  } catch (error) {
    return { result: 'failed', error: classifyError(error).message };
  }
}

/** Secrets of an e-mail that are stored as hashes only: the token of its link, and a code to type. */
interface Secret {
  readonly token?: string | undefined;
  readonly code?: string;
}

/**
 * The secret of an e-mail, created now and committed before it can leave: neither its row nor a job ever contains it.
 * @returns an empty one for kinds without; null when it would no longer work: then the e-mail is removed.
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

/** The undo link of e-mails about a change; e-mails without one are sent without it. */
function undoLink(kind: UndoableKind) {
  return async (em: EntityManager, { data }: Email, at: Date): Promise<Secret | null> => {
    const { changeId, undoUntil } = emailKinds[kind].parse(data);
    return changeId === null || undoUntil === null ? {} : link(await createUndoLink(em, changeId, at));
  };
}

/** For the kinds that have a secret. */
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
