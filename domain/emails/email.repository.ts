import { randomUUID } from 'node:crypto';
import type { AdminRole } from '#core/accounts/admin-roles';
import { permissions } from '#core/accounts/roles';
import type { RowJobData } from '#core/contracts/jobs';
import { isOptional } from '#core/notifications/email-preferences';
import { retryDelayMs } from '#core/operations/operation';
import { dayMs } from '#core/time/time';
import type { EntityManager } from '#platform/database/database';
import { beginAttempt, dispatchAgain, dispatchRow, type RowTable, type RunAgain } from '#platform/outbox/row-jobs';
import { NonRetryableError } from '#platform/queues/retry';
import { currentRequestId } from '#platform/request-id';
import { findAdmins, findUser, type User } from '../accounts/account.repository.ts';
import { notOnLegalHold } from '../accounts/legal-hold.repository.ts';
import { Email } from './email.entity.ts';
import { type EmailData, type EmailKind, emailKinds } from './email-kinds.ts';

export type { Email } from './email.entity.ts';

interface NewEmail<Kind extends EmailKind> {
  readonly kind: Kind;
  /** Deduplicates: a second e-mail with the same key is not written. */
  readonly key: string;
  readonly data: EmailData<Kind>;
  readonly at: Date;
  /** Recipient address, if not the account's. */
  readonly toAddress?: string;
}

/** E-mails as rows processed by jobs. */
export const emailRows: RowTable = {
  entity: Email,
  key: 'id',
  jobSql: "'send-email'",
  transferSql: "data ->> 'transferId'",
};

/** Queues an e-mail in the transaction of `em`, once per key, and not at all if the user turned off its kind. */
export async function addEmail<Kind extends EmailKind>(
  em: EntityManager,
  { kind, key, data, at, userId, toAddress }: NewEmail<Kind> & { readonly userId: string },
): Promise<void> {
  if (isOptional(kind) && (await findUser(em, userId))?.mutedEmails.includes(kind)) return;
  const id = randomUUID();
  const parsed = emailKinds[kind].parse(data);
  const { affectedRows } = await em
    .createQueryBuilder(Email)
    .insert({
      id,
      key,
      userId,
      kind,
      data: parsed,
      createdAt: at,
      nextAttemptAt: at,
      toAddress: toAddress ?? null,
      requestId: currentRequestId() ?? null,
    })
    .onConflict('key')
    .ignore()
    .execute();
  const transferId = 'transferId' in parsed ? parsed.transferId : null;
  if (affectedRows > 0) dispatchRow(em, 'send-email', { id, dispatch: 1, transferId });
}

/** Queues an e-mail to every admin except some, or to those with certain roles. */
export async function addEmailToAdmins<Kind extends EmailKind>(
  em: EntityManager,
  email: NewEmail<Kind> & { readonly exceptIds?: readonly string[]; readonly roles?: readonly AdminRole[] },
): Promise<void> {
  const { exceptIds = [], roles, ...rest } = email;
  for (const { id, adminRole } of await findAdmins(em)) {
    const isReader = !roles || (adminRole && roles.includes(adminRole));
    if (isReader && !exceptIds.includes(id)) await addEmail(em, { ...rest, key: `${rest.key}-${id}`, userId: id });
  }
}

/** The keys for which some admin has not received an e-mail yet. */
export async function keysNewToAdmins(em: EntityManager, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await em.execute<{ key: string }[]>(
    `select key from jsonb_array_elements_text(?::jsonb) as wanted (key) where exists (
       select from app_user where role = 'admin' and admin_role in (${permissions.adminNews.map(() => '?').join(', ')})
         and not exists (select from mail where mail.key = wanted.key || '-' || app_user.id)
     )`,
    [JSON.stringify(keys), ...permissions.adminNews],
  );
  return new Set(rows.map(({ key }) => key));
}

/** Whether one of these e-mails was written. */
export async function hasEmail(em: EntityManager, keys: readonly string[]): Promise<boolean> {
  return (await em.count(Email, { key: { $in: [...keys] } })) > 0;
}

/** When the last e-mail of a kind was written, or null. */
export async function lastWritten(em: EntityManager, kind: EmailKind): Promise<Date | null> {
  const last = await em.findOne(Email, { kind }, { orderBy: { createdAt: 'desc' } });
  return last?.createdAt ?? null;
}

/** How long sending an e-mail is retried, in ms; after that its news is stale. */
const worthSendingMs = 2 * dayMs;

/** An e-mail to send, and its reader. */
export interface DueEmail {
  readonly email: Email;
  /** `emailVerifiedAt` is null for an address that is not the account's. */
  readonly reader: Pick<User, 'email' | 'emailVerifiedAt' | 'name' | 'locale'>;
}

/**
 * Starts an attempt to send an e-mail for its job, in the transaction of `em`. Null when it was sent, rejected or given
 * up, or has a newer job; the due time when it is not due yet.
 */
export async function beginEmail(
  em: EntityManager,
  { id, dispatch }: RowJobData,
  now: Date,
): Promise<DueEmail | { readonly early: RunAgain } | null> {
  const begun = await beginAttempt(em, Email, { id }, { dispatch, now });
  if (!begun || 'early' in begun) return begun;
  const email = begun.row;
  const user = await findUser(em, email.userId);
  if (!user) throw new NonRetryableError('an e-mail to an account that does not exist');
  const { name, locale } = user;
  const address = email.toAddress ?? user.email;
  const emailVerifiedAt = address === user.email ? (user.emailVerifiedAt ?? null) : null;
  return { email, reader: { email: address, emailVerifiedAt, name, locale } };
}

/**
 * Records the result of an attempt. A failed one is due again by the retry policy, for two days after it was written.
 * Returns the due time, or null after the last attempt; undefined, with nothing written, when the e-mail changed since
 * the attempt started.
 */
export async function endEmailAttempt(
  em: EntityManager,
  { id, dispatch, attempts, createdAt }: Email,
  result: 'sent' | 'refused' | 'failed',
  at: Date,
): Promise<Date | null | undefined> {
  const next = new Date(at.getTime() + retryDelayMs(attempts));
  const nextAttemptAt = result === 'failed' && next.getTime() - createdAt.getTime() <= worthSendingMs ? next : null;
  const written = await em.nativeUpdate(
    Email,
    { id, dispatch, attempts },
    { nextAttemptAt, ...(result === 'sent' && { sentAt: at }), ...(result === 'refused' && { refusedAt: at }) },
  );
  return written > 0 ? nextAttemptAt : undefined;
}

/** Gives up waiting e-mails whose news is stale, because no mail server was configured in that time. */
export async function giveUpOldEmails(em: EntityManager, now: Date): Promise<void> {
  const before = new Date(now.getTime() - worthSendingMs);
  await em.nativeUpdate(Email, { nextAttemptAt: { $ne: null }, createdAt: { $lt: before } }, { nextAttemptAt: null });
}

/**
 * Resends an e-mail that was given up or rejected, in the transaction of `em`; false when it was sent, or is still to
 * be.
 */
export async function retryEmail(em: EntityManager, id: string, at: Date): Promise<boolean> {
  const changes = { nextAttemptAt: at, refusedAt: null, attempts: 0 };
  const changed = await em.nativeUpdate(Email, { id, sentAt: null, nextAttemptAt: null }, changes);
  if (changed > 0) await dispatchAgain(em, emailRows, id, { at, now: at });
  return changed > 0;
}

/** Removes an e-mail that is no longer worth sending. */
export async function removeEmail(em: EntityManager, id: string): Promise<void> {
  await em.nativeDelete(Email, { id });
}

/** Deletes all e-mails to a user: demonstration data are in the past. */
export async function deleteEmailsTo(em: EntityManager, userId: string): Promise<void> {
  await em.nativeDelete(Email, { userId });
}

/** Deletes e-mails written before a moment. */
export async function deleteEmails(em: EntityManager, before: Date): Promise<void> {
  await em.nativeDelete(Email, { createdAt: { $lt: before }, ...notOnLegalHold() });
}
