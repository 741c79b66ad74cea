import { randomUUID } from 'node:crypto';
import type { RowJobData } from '#core/contracts/jobs';
import { maxNameChecksPerDay, type NameCheckStatus } from '#core/recipients/name-check';
import { dayMs } from '#core/time/time';
import type { EntityManager } from '#platform/database/database';
import { beginAttempt, dispatchAgain, dispatchRow, type RowTable, type RunAgain } from '#platform/outbox/row-jobs';
import { accountHash, hideNumbers, readNumbers } from '../personal-data/personal-data.ts';
import { NameCheck } from './name-check.entity.ts';
import type { Recipient } from './recipient.entity.ts';

export type { NameCheck } from './name-check.entity.ts';

/** Name checks as rows processed by jobs. */
export const nameCheckRows: RowTable = {
  entity: NameCheck,
  key: 'id',
  jobSql: "'check-account-name'",
  transferSql: 'null',
};

/** Name and account of a query; the account by its hash, or in full in older rows. */
export type QueriedAccount = Pick<Recipient, 'name' | 'bankName' | 'bankAccount'> & {
  readonly accountHash?: string | null;
};

/** Statuses after which the same query may be repeated. */
const unanswered: readonly NameCheckStatus[] = ['unavailable', 'withdrawn'];

/** The last query about a recipient with this name and account, or null. */
export function findNameCheck(
  em: EntityManager,
  recipientId: string,
  { name, bankName, bankAccount, accountHash: known }: QueriedAccount,
): Promise<NameCheck | null> {
  const account = { recipientId, name, bankName, accountHash: known ?? accountHash(em, bankAccount) };
  return em.findOne(NameCheck, account, { orderBy: { askedAt: 'desc' } });
}

/** `findNameCheck` for the current data of several recipients, by recipient id, in two statements. */
export async function findNameChecks(
  em: EntityManager,
  recipientIds: readonly string[],
): Promise<Map<string, NameCheck>> {
  if (recipientIds.length === 0) return new Map();
  const last = await em.execute<{ id: string }[]>(
    `select distinct on (c.recipient_id) c.id from name_check as c
     join recipient as r on r.id = c.recipient_id and r.name = c.name and r.bank_name = c.bank_name and r.account_hash = c.account_hash
     where c.recipient_id in (${recipientIds.map(() => '?').join(', ')})
     order by c.recipient_id, c.asked_at desc`,
    [...recipientIds],
  );
  const checks = await em.find(NameCheck, { id: { $in: last.map(({ id }) => id) } }, { refresh: true });
  return new Map(checks.map((check) => [check.recipientId, check]));
}

/**
 * Opens a query to the bank whether a recipient's account is in its name, unless the same was already queried; in the
 * transaction of `em`, which holds the lock of the sender's row. Unanswered queries about an earlier name or account
 * are withdrawn. If the sender's queries are used up, returns the time after which the limit counts; otherwise null.
 */
export async function openNameCheck(em: EntityManager, recipient: Recipient, at: Date): Promise<Date | null> {
  const { id: recipientId, userId, name, bankName } = recipient;
  const known = await findNameCheck(em, recipientId, recipient);
  await withdrawNameChecks(em, recipientId, known);
  if (known && !unanswered.includes(known.status)) return null;
  const [before] = await em.execute<{ asked_at: Date | string }[]>(
    'select asked_at from name_check where user_id = ? and asked_at > ? order by asked_at desc limit 1 offset ?',
    [userId, new Date(at.getTime() - dayMs), maxNameChecksPerDay - 1],
  );
  if (before) return new Date(new Date(before.asked_at).getTime() + dayMs);
  const id = randomUUID();
  const { bankAccount, sealed, hashes } = hideNumbers(em, `name_check:${id}`, {
    ...{ ci: '', phone: '' },
    bankAccount: (await readNumbers(em, `recipient:${recipientId}`, recipient)).bankAccount,
  });
  const account = { id, recipientId, userId, name, bankName, bankAccount, sealed, accountHash: hashes.account };
  const open = { status: 'pending', dispatch: 1, attempts: 0, nextAttemptAt: at, askedAt: at } as const;
  em.persist(em.create(NameCheck, { ...account, ...open }));
  dispatchRow(em, 'check-account-name', { id, dispatch: 1 });
  await em.flush();
  return null;
}

/** Withdraws pending queries about a recipient that was removed or has another account, except `kept`. */
export async function withdrawNameChecks(
  em: EntityManager,
  recipientId: string,
  kept: NameCheck | null = null,
): Promise<void> {
  const pending = { recipientId, status: 'pending', ...(kept && { id: { $ne: kept.id } }) } as const;
  await em.nativeUpdate(NameCheck, pending, { status: 'withdrawn', nextAttemptAt: null });
}

/** Records the sender's confirmation of a name. Returns whether it was needed and is new. */
export async function confirmNameCheck(em: EntityManager, { id }: NameCheck, at: Date): Promise<boolean> {
  const open = { id, status: { $in: ['close', 'different'] as NameCheckStatus[] }, confirmedAt: null };
  return (await em.nativeUpdate(NameCheck, open, { confirmedAt: at })) > 0;
}

/** Starts an attempt at a query for its job, in the transaction of `em`; see `beginAttempt`. */
export function beginNameCheck(
  em: EntityManager,
  { id, dispatch }: RowJobData,
  now: Date,
): Promise<{ readonly row: NameCheck } | { readonly early: RunAgain } | null> {
  return beginAttempt(em, NameCheck, { id }, { dispatch, now });
}

/** The result of an attempt. Without a status it is retried. */
export type NameCheckResult = Pick<NameCheck, 'lastError' | 'nextAttemptAt'> &
  Partial<Pick<NameCheck, 'status' | 'bankSays' | 'answeredAt'>>;

/**
 * Records the result of an attempt, in the transaction of `em`, which holds the lock of the recipient's row. Returns
 * false, with nothing written, when another attempt has started or the query was withdrawn since.
 */
export async function writeNameCheck(
  em: EntityManager,
  { id, dispatch, attempts }: NameCheck,
  result: NameCheckResult,
): Promise<boolean> {
  return (await em.nativeUpdate(NameCheck, { id, dispatch, attempts, status: 'pending' }, result)) > 0;
}

/** Repeats an unanswered query, in the transaction of `em`; false for any other. */
export async function retryNameCheck(em: EntityManager, id: string, at: Date): Promise<boolean> {
  const changes = { status: 'pending', nextAttemptAt: at, attempts: 0 } as const;
  const changed = await em.nativeUpdate(NameCheck, { id, status: 'unavailable' }, changes);
  if (changed > 0) await dispatchAgain(em, nameCheckRows, id, { at, now: at });
  return changed > 0;
}
