import { randomUUID } from 'node:crypto';
import type { AdminRole } from '#core/accounts/admin-roles';
import { permissions } from '#core/accounts/roles';
import type { Locale } from '#core/locale/locale';
import { isOptional } from '#core/notifications/email-preferences';
import { retryDelayMs } from '#core/operations/operation';
import { formatRate } from '#core/rates/rate';
import { dayMs, minuteMs } from '#core/time/time';
import { type EntityManager, lazilySql, type PreparedStatement, runPrepared } from '#platform/database/database';
import { columnsOf, plainRow } from '#platform/database/plain-row';
import { isGoneSql } from '#platform/database/presence';
import { noteDue } from '#platform/outbox/outbox';
import { currentRequestId } from '#platform/request-id';
import { findAdmins, findUser, type User } from '../accounts/account.repository.ts';
import { ofNobodyHeld } from '../accounts/legal-hold.repository.ts';
import type { RateChange } from '../rates/rate-change.repository.ts';
import { Email } from './email.entity.ts';
import { type EmailData, type EmailKind, emailKinds } from './email-kinds.ts';

export type { Email } from './email.entity.ts';

interface NewEmail<Kind extends EmailKind> {
  readonly kind: Kind;
  /** Identifies the occasion: a second e-mail with the same key is not written. */
  readonly key: string;
  readonly data: EmailData<Kind>;
  readonly at: Date;
  /** Where it goes instead of to the account's address. */
  readonly toAddress?: string;
}

/** Queues an e-mail in the transaction of `em`; once per key, however often it is called, and not at all to a person who does not want its kind. */
export async function addEmail<Kind extends EmailKind>(
  em: EntityManager,
  { kind, key, data, at, userId, toAddress }: NewEmail<Kind> & { readonly userId: string },
): Promise<void> {
  if (isOptional(kind) && (await findUser(em, userId))?.mutedEmails.includes(kind)) return;
  const { affectedRows } = await em
    .createQueryBuilder(Email)
    .insert({
      id: randomUUID(),
      key,
      userId,
      kind,
      data: emailKinds[kind].parse(data),
      createdAt: at,
      nextAttemptAt: at,
      toAddress: toAddress ?? null,
      requestId: currentRequestId() ?? null,
    })
    .onConflict('key')
    .ignore()
    .execute();
  if (affectedRows > 0) noteDue(em, 'emails-due');
}

/** Queues an e-mail to every admin but some, or to those with one of some roles. */
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

/** Which of these keys an admin has had no e-mail of yet. */
export async function keysNewToAdmins(em: EntityManager, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await em.execute<{ key: string }[]>(
    `select key from jsonb_array_elements_text(?::jsonb) as asked (key) where exists (
       select from app_user where role = 'admin' and admin_role in (${permissions.adminNews.map(() => '?').join(', ')})
         and not exists (select from mail where mail.key = asked.key || '-' || app_user.id)
     )`,
    [JSON.stringify(keys), ...permissions.adminNews],
  );
  return new Set(rows.map(({ key }) => key));
}

/** Whether one of these e-mails was written. */
export async function hasEmail(em: EntityManager, keys: readonly string[]): Promise<boolean> {
  return (await em.count(Email, { key: { $in: [...keys] } })) > 0;
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
    exceptIds: [proposedById],
  });
}

/** How long an e-mail that could not be sent is tried again, in ms; later its news is stale. */
const worthSendingMs = 2 * dayMs;

/**
 * How long a worker may take to send what it took (ms) before another may try: above the mail server's time limits for all of them. What
 * a worker had taken that died is free at once.
 */
const leaseMs = 10 * minuteMs;

/** An e-mail that was taken to be sent, and whom it goes to. */
export interface DueEmail {
  readonly email: Email;
  /** `emailVerifiedAt` is null for an address that is not the account's. */
  readonly reader: Pick<User, 'email' | 'emailVerifiedAt' | 'name' | 'locale'>;
}

/** Takes e-mails that are due and that nobody else is sending, those that wait longest first, with a commit of its own. */
export async function takeDueEmails(
  em: EntityManager,
  { now, takenBy, limit }: { now: Date; takenBy: number; limit: number },
): Promise<DueEmail[]> {
  const values = [now, new Date(now.getTime() + leaseMs), takenBy, limit];
  const rows = await runPrepared<Record<string, unknown>>(em, takeDue, values);
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

/** A worker of the version before ends an e-mail without taking it off the list. */
const dueSql = 'next_attempt_at <= $1 and sent_at is null and refused_at is null';

const takeDue: PreparedStatement = {
  name: 'take-due-emails',
  text: `
    with ${lazilySql},
    due as (select id from mail where ${dueSql} order by next_attempt_at limit $4 for update skip locked)
    update mail set attempts = attempts + 1, next_attempt_at = $2, taken_by = $3 from due, app_user, lazily
    where mail.id = due.id and app_user.id = mail.user_id
    returning ${columnsOf(Email, 'mail')}, coalesce(mail.to_address, app_user.email) as reader_email,
      case when coalesce(mail.to_address, app_user.email) = app_user.email then app_user.email_verified_at end as reader_verified_at,
      app_user.name as reader_name, app_user.locale as reader_locale`,
};

/** Whether e-mails are due. Those that a process had taken which is gone are due from now on. */
export async function hasDueEmails(em: EntityManager, now: Date): Promise<boolean> {
  const [found] = await runPrepared<{ due: boolean }>(em, findDue, [now]);
  return found?.due ?? false;
}

const findDue: PreparedStatement = {
  name: 'find-due-emails',
  text: `
    with freed as (
      update mail set next_attempt_at = $1, taken_by = null
      where next_attempt_at > $1 and taken_by is not null and ${isGoneSql('taken_by')}
      returning id
    )
    select exists (select from freed) or exists (select from mail where ${dueSql}) as due`,
};

/** What became of an e-mail that was taken: sent, refused for good, or to be tried again. */
export interface EmailOutcome {
  readonly email: Pick<Email, 'id' | 'attempts' | 'createdAt'>;
  readonly result: 'sent' | 'refused' | 'failed';
}

/**
 * Writes down what became of e-mails, with a commit of its own that does not wait for the disk: what is lost with a database that
 * crashed is sent again under the same Message-ID. What failed is due again by the retry policy, for two days after it was written.
 */
export async function writeEmailOutcomes(
  em: EntityManager,
  outcomes: readonly EmailOutcome[],
  at: Date,
): Promise<void> {
  const nextAttempts = outcomes.map(({ email: { attempts, createdAt }, result }) => {
    const next = new Date(at.getTime() + retryDelayMs(attempts));
    return result === 'failed' && next.getTime() - createdAt.getTime() <= worthSendingMs ? next : null;
  });
  const ids = outcomes.map(({ email }) => email.id);
  await runPrepared(em, writeOutcomes, [ids, outcomes.map(({ result }) => result), nextAttempts, at]);
}

const writeOutcomes: PreparedStatement = {
  name: 'write-email-outcomes',
  text: `
    with ${lazilySql},
    outcome as (select * from unnest($1::uuid[], $2::text[], $3::timestamptz[]) as o (id, result, next))
    update mail set taken_by = null, next_attempt_at = outcome.next,
      sent_at = case outcome.result when 'sent' then $4::timestamptz end,
      refused_at = case outcome.result when 'refused' then $4::timestamptz end
    from outcome, lazily where mail.id = outcome.id`,
};

/** Gives up e-mails that wait although their news is stale: no mail server was configured meanwhile. */
export async function giveUpOldEmails(em: EntityManager, now: Date): Promise<void> {
  const before = new Date(now.getTime() - worthSendingMs);
  await em.nativeUpdate(Email, { nextAttemptAt: { $ne: null }, createdAt: { $lt: before } }, { nextAttemptAt: null });
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
  await em.nativeDelete(Email, { createdAt: { $lt: before }, ...ofNobodyHeld() });
}
