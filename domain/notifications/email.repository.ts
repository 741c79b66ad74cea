import { randomUUID } from 'node:crypto';
import type { Locale } from '#core/locale/locale';
import { isOptional } from '#core/notifications/email-preferences';
import { formatRate } from '#core/rates/rate';
import { dayMs, minuteMs } from '#core/time/time';
import { type EntityManager, type PreparedStatement, runPrepared } from '#platform/database/database';
import { plainRow } from '#platform/database/plain-row';
import { addJob } from '#platform/outbox/outbox';
import { findAdmins, findUser, type User } from '../accounts/account.repository.ts';
import type { RateChange } from '../rates/rate-change.repository.ts';
import { Email } from './email.entity.ts';
import { type EmailData, type EmailKind, emailKinds } from './email-kinds.ts';
import { stepEmailKinds } from './step-emails.ts';

export type { Email } from './email.entity.ts';

interface NewEmail<Kind extends EmailKind> {
  readonly kind: Kind;
  /** Identifies the occasion: a second e-mail with the same key is not written. */
  readonly key: string;
  readonly data: EmailData<Kind>;
  readonly at: Date;
}

/** Queues an e-mail in the transaction of `em`; once per key, however often it is called, and not at all to a person who does not want its kind. */
export async function addEmail<Kind extends EmailKind>(
  em: EntityManager,
  { kind, key, data, at, userId }: NewEmail<Kind> & { readonly userId: string },
): Promise<void> {
  if (isOptional(kind) && (await findUser(em, userId))?.mutedEmails.includes(kind)) return;
  const mailId = randomUUID();
  const { affectedRows } = await em
    .createQueryBuilder(Email)
    .insert({ id: mailId, key, userId, kind, data: emailKinds[kind].parse(data), createdAt: at })
    .onConflict('key')
    .ignore()
    .execute();
  if (affectedRows > 0) addJob(em, 'send-mail', { mailId });
}

/** Queues an e-mail to every admin but `exceptId`. */
export async function addEmailToAdmins<Kind extends EmailKind>(
  em: EntityManager,
  email: NewEmail<Kind> & { readonly exceptId?: string },
): Promise<void> {
  for (const { id } of await findAdmins(em)) {
    if (id !== email.exceptId) await addEmail(em, { ...email, key: `${email.key}-${id}`, userId: id });
  }
}

/** Which of these keys an admin has had no e-mail of yet. */
export async function keysNewToAdmins(em: EntityManager, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await em.execute<{ key: string }[]>(
    `select key from jsonb_array_elements_text(?::jsonb) as asked (key) where exists (
       select from app_user where role = 'admin' and not exists (select from mail where mail.key = asked.key || '-' || app_user.id)
     )`,
    [JSON.stringify(keys)],
  );
  return new Set(rows.map(({ key }) => key));
}

/** When the last e-mail of a kind was written; null where there is none. */
export async function lastWritten(em: EntityManager, kind: EmailKind): Promise<Date | null> {
  const last = await em.findOne(Email, { kind }, { orderBy: { createdAt: 'desc' } });
  return last?.createdAt ?? null;
}

/**
 * Tells every admin but the one who asked that a change of rate waits for a second person; once each time it begins to wait.
 */
export async function emailWaitingChange(em: EntityManager, change: RateChange, at: Date): Promise<void> {
  const { id, currency, rate, previousRate, proposedById, awaitingSince, reason, guardRails: rails } = change;
  const setBy = (await findUser(em, proposedById))?.name ?? '';
  await addEmailToAdmins(em, {
    kind: 'rate_change_waiting',
    key: `rate_change_waiting-${id}-${awaitingSince?.getTime()}`,
    data: {
      currency,
      rate: formatRate(rate),
      previousRate: previousRate == null ? null : formatRate(previousRate),
      setBy,
      reason: reason ?? null,
      guardRails: [...rails],
    },
    at,
    exceptId: proposedById,
  });
}

/** How long an e-mail that could not be sent is tried again, in ms; later its news is stale. */
const worthSendingMs = 2 * dayMs;

/** E-mails that wait to be sent and were written before `before`, the oldest first. */
export function findUnsentEmails(
  em: EntityManager,
  input: { now: Date; before: Date; limit: number },
): Promise<Email[]> {
  const since = new Date(input.now.getTime() - worthSendingMs);
  return em.find(
    Email,
    { sentAt: null, refusedAt: null, createdAt: { $gt: since, $lte: input.before } },
    { orderBy: { createdAt: 'asc' }, limit: input.limit },
  );
}

/** How long a worker may take to send an e-mail (ms) before another may try; above the mail server's time limits. */
const claimMs = 2 * minuteMs;

/**
 * Claims an e-mail for sending, in the transaction of `em`: of two jobs one gets it. Null when it was sent or refused, does not
 * exist, or is being sent.
 */
export async function claimEmail(em: EntityManager, id: string, at: Date): Promise<Email | null> {
  const expired = new Date(at.getTime() - claimMs);
  const claimed = await em.nativeUpdate(
    Email,
    { id, sentAt: null, refusedAt: null, $or: [{ claimedAt: null }, { claimedAt: { $lt: expired } }] },
    { claimedAt: at },
  );
  return claimed === 0 ? null : em.findOne(Email, { id }, { refresh: true });
}

/** An e-mail that was claimed, and whom it goes to. */
export interface DueEmail {
  readonly email: Email;
  readonly reader: Pick<User, 'email' | 'emailVerifiedAt' | 'name' | 'locale'>;
}

/** Claims e-mails that steps of transfers wrote and nobody has begun to send, the oldest first, with a commit of its own. */
export async function claimDueEmails(
  em: EntityManager,
  { now, limit }: { now: Date; limit: number },
): Promise<DueEmail[]> {
  const values = [stepEmailKinds, new Date(now.getTime() - worthSendingMs), limit, now];
  const rows = await runPrepared<Record<string, unknown>>(em, claimDue, values);
  return rows.map(({ reader_email, reader_verified_at, reader_name, reader_locale, ...row }) => ({
    email: plainRow(em, Email, row),
    reader: {
      email: reader_email as string,
      emailVerifiedAt: reader_verified_at as Date | null,
      name: reader_name as string,
      locale: reader_locale as Locale,
    },
  }));
}

const dueSql = `kind = any ($1::text[]) and sent_at is null and refused_at is null and claimed_at is null and created_at > $2`;

const claimDue: PreparedStatement = {
  name: 'claim-due-emails',
  text: `
    with due as (select id from mail where ${dueSql} order by created_at limit $3 for update skip locked)
    update mail set claimed_at = $4 from due, app_user where mail.id = due.id and app_user.id = mail.user_id
    returning mail.*, app_user.email as reader_email, app_user.email_verified_at as reader_verified_at,
      app_user.name as reader_name, app_user.locale as reader_locale`,
};

/** Whether steps of transfers wrote e-mails that nobody has begun to send. */
export async function hasDueEmails(em: EntityManager, now: Date): Promise<boolean> {
  const values = [stepEmailKinds, new Date(now.getTime() - worthSendingMs)];
  const [found] = await runPrepared<{ due: boolean }>(em, findDue, values);
  return found?.due ?? false;
}

const findDue: PreparedStatement = {
  name: 'find-due-emails',
  text: `select exists (select from mail where ${dueSql}) as due`,
};

/** Records that claimed e-mails were sent, with a commit of its own. */
export async function finishSentEmails(em: EntityManager, ids: readonly string[], at: Date): Promise<void> {
  await em.nativeUpdate(Email, { id: { $in: [...ids] } }, { sentAt: at });
}

/** Records what became of a claimed e-mail; `unclaimed` lets the next attempt begin at once. */
export async function finishEmail(
  em: EntityManager,
  id: string,
  result: 'sent' | 'refused' | 'unclaimed',
  at: Date,
): Promise<void> {
  const changes = { sent: { sentAt: at }, refused: { refusedAt: at }, unclaimed: { claimedAt: null } };
  await em.nativeUpdate(Email, { id }, changes[result]);
}

/** Removes an e-mail that is not worth sending any more. */
export async function removeEmail(em: EntityManager, id: string): Promise<void> {
  await em.nativeDelete(Email, { id });
}

/** Deletes all e-mails to a person: demonstration data tell the past. */
export async function deleteEmailsTo(em: EntityManager, userId: string): Promise<void> {
  await em.nativeDelete(Email, { userId });
}

/** Deletes e-mails written before a moment. */
export async function deleteEmails(em: EntityManager, before: Date): Promise<void> {
  await em.nativeDelete(Email, { createdAt: { $lt: before } });
}
