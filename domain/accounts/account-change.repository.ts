import { randomBytes, randomUUID } from 'node:crypto';
import { dayMs } from '#core/time/time';
import type { EntityManager } from '#platform/database/database';
import { findUser, type User } from './account.repository.ts';
import { AccountChange, type AccountChangeKind, AccountChangeLink } from './account-change.entity.ts';
import { notOnLegalHold } from './legal-hold.repository.ts';
import { hashSecret } from './passwords.ts';

/**
 * How long the owner can undo a change, and how far before it second factors are undone with it, in ms: a thief may have added
 * one first and made the change later.
 */
const undoMs = 7 * dayMs;

/** Data of the e-mail about a change: the row of its undo link, its expiry, and the recipient address. */
export interface Undo {
  readonly data: { readonly changeId: string | null; readonly undoUntil: string | null };
  readonly toAddress?: string;
}

/**
 * Records the account before a security change, in the transaction of `em`, which makes the change and holds the
 * account's lock. Without a proven address there is no undo, because the reader of the mailbox may be a stranger.
 */
export async function recordChange(
  em: EntityManager,
  { user, kind, at }: { user: Pick<User, 'id' | 'email' | 'emailVerifiedAt'>; kind: AccountChangeKind; at: Date },
): Promise<Undo> {
  if (!user.emailVerifiedAt) return { data: { changeId: null, undoUntil: null } };
  const id = randomUUID();
  const undoUntil = new Date(at.getTime() + undoMs);
  await em.execute(
    `insert into account_change (id, user_id, kind, email, factors, at, undo_until) values (?, ?, ?, ?, account_factors(?), ?, ?)`,
    [id, user.id, kind, user.email, user.id, at, undoUntil],
  );
  return { data: { changeId: id, undoUntil: undoUntil.toISOString() }, toAddress: user.email };
}

/** Creates an undo link when its e-mail is sent, as `createResetLink` does. @returns null when the change can no longer be undone. */
export async function createUndoLink(em: EntityManager, changeId: string, at: Date): Promise<string | null> {
  const change = await em.findOne(AccountChange, { id: changeId });
  if (!change || !(await isUndoable(em, change, at))) return null;
  const token = randomBytes(32).toString('base64url');
  em.persist(em.create(AccountChangeLink, { tokenHash: hashSecret(token), changeId }));
  return token;
}

/** The change that a link undoes; null for an unknown link, and for a change that can no longer be undone. */
export async function readUndoLink(em: EntityManager, token: string, at: Date): Promise<AccountChange | null> {
  const link = await em.findOne(AccountChangeLink, { tokenHash: hashSecret(token) });
  const change = link && (await em.findOne(AccountChange, { id: link.changeId }, { refresh: true }));
  return change && (await isUndoable(em, change, at)) ? change : null;
}

/** Undoing a change removes second factors added since this time, and restores those removed since. */
export const restoredSince = ({ at }: Pick<AccountChange, 'at'>): Date => new Date(at.getTime() - undoMs);

/**
 * Ends the undo of changes since a moment, or of all: later changes were made by the intruder, and an old e-mail must
 * not take the account from a new holder.
 */
export async function endUndo(
  em: EntityManager,
  userId: string,
  { since = null, at }: { since?: Date | null; at: Date },
): Promise<void> {
  await em.nativeUpdate(
    AccountChange,
    { userId, endedAt: null, ...(since && { at: { $gte: since } }) },
    { endedAt: at },
  );
}

/** Whether second factors of an account were changed within the last seven days, and the change was not undone. */
export async function hasFactorChanges(em: EntityManager, userId: string, at: Date): Promise<boolean> {
  return (
    (await em.count(AccountChange, { userId, kind: 'factor', at: { $gte: restoredSince({ at }) }, endedAt: null })) > 0
  );
}

/**
 * Restores the second factors of seven days before a recorded change, in the transaction of `em`. Existing rows are not
 * changed, so that no used code and no passkey counter is valid twice.
 */
export async function restoreFactors(em: EntityManager, change: Pick<AccountChange, 'userId' | 'at'>): Promise<void> {
  const { userId } = change;
  const since = restoredSince(change);
  const where = { userId, at: { $gte: since, $lte: change.at } };
  const first = await em.findOneOrFail(AccountChange, where, { orderBy: { at: 'asc' } });
  const kept = JSON.stringify(first.factors);
  // Changes made by the previous version have no record and are recognized by their date.
  const apps = `select f.* from jsonb_populate_recordset(null::second_factor, ?::jsonb -> 'apps') as f where f.confirmed_at <= ?`;
  const passkeys = `select w.* from jsonb_populate_recordset(null::webauthn_credential, ?::jsonb -> 'passkeys') as w where w.created_at <= ?`;
  const codes = `select c.* from jsonb_populate_recordset(null::recovery_code, ?::jsonb -> 'codes') as c
    where exists (${apps}) or exists (${passkeys})`;
  const values = [kept, since];
  const codeValues = [kept, ...values, ...values];
  await em.execute(
    `delete from second_factor where user_id = ? and confirmed_at is distinct from (select k.confirmed_at from (${apps}) as k)`,
    [userId, ...values],
  );
  await em.execute(
    `delete from webauthn_credential where user_id = ? and id not in (select k.id from (${passkeys}) as k)`,
    [userId, ...values],
  );
  await em.execute(
    `delete from recovery_code where user_id = ? and code_hash not in (select k.code_hash from (${codes}) as k)`,
    [userId, ...codeValues],
  );
  await em.execute(`insert into second_factor ${apps} on conflict do nothing`, values);
  await em.execute(`insert into webauthn_credential ${passkeys} on conflict do nothing`, values);
  await em.execute(`insert into recovery_code ${codes} on conflict do nothing`, codeValues);
  await em.execute('delete from webauthn_challenge where creator_id = ?', [userId]);
}

/** Links do not change a blocked account; after the block they work again. */
async function isUndoable(
  em: EntityManager,
  { userId, undoUntil, endedAt }: AccountChange,
  at: Date,
): Promise<boolean> {
  return !endedAt && undoUntil > at && (await findUser(em, userId))?.blockedAt == null;
}

/** Deletes changes made before a moment, when none can be undone any more. */
export async function deleteAccountChanges(em: EntityManager, before: Date): Promise<void> {
  await em.nativeDelete(AccountChange, { at: { $lt: before }, ...notOnLegalHold() });
}
