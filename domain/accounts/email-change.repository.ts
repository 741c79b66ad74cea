import { randomBytes, randomUUID } from 'node:crypto';
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { Failure } from '#core/contracts/failures';
import { dayMs, hourMs } from '#core/time/time';
import type { EntityManager } from '#platform/database/database';
import { writeAudit } from '../audit/audit.repository.ts';
import { addEmail } from '../notifications/email.repository.ts';
import { EmailChange, EmailChangeLink } from './account.entity.ts';
import { findUser, findUserByEmail, isHeldForOwner, lockUser, noPassword, type User } from './account.repository.ts';
import { forgetDevices } from './known-device.repository.ts';
import { ofNobodyHeld } from './legal-hold.repository.ts';
import { endPasswordResets } from './password-reset.repository.ts';
import { hashSecret } from './passwords.ts';
import { dropSecondFactor } from './second-factor.repository.ts';
import { endOtherSessions, endSessions } from './session.repository.ts';

/** How long after it was asked for a new address may be confirmed, in ms. */
const confirmMs = hourMs;

/** How long who reads the old address may take it back, in ms. */
const undoMs = 7 * dayMs;

type Purpose = EmailChangeLink['purpose'];

/**
 * Records that a person wants another e-mail address, in the transaction of `em`, and writes the e-mail to that address which has it
 * confirmed. Whether the address has an account already is looked up when that is sent: the caller learns nothing of others.
 * `verified` is the account whose password was typed. @throws Failure `wrong_password` when it was changed meanwhile, `email_unchanged`.
 */
export async function requestEmailChange(
  em: EntityManager,
  input: { verified: Pick<User, 'id' | 'passwordHash'>; email: string; sessionId: string; at: Date },
): Promise<void> {
  const { verified, email: newEmail, sessionId, at } = input;
  const user = await lockUser(em, verified.id);
  if (user.passwordHash !== verified.passwordHash) throw new Failure('wrong_password');
  if (newEmail === user.email) throw new Failure('email_unchanged');
  const userId = user.id;
  await endEmailChanges(em, userId, at);
  const id = randomUUID();
  const expiresAt = new Date(at.getTime() + confirmMs);
  const addresses = { oldEmail: user.email, newEmail };
  await em.persist(em.create(EmailChange, { id, userId, sessionId, ...addresses, createdAt: at, expiresAt })).flush();
  const key = `email_change-${id}`;
  await addEmail(em, { kind: 'email_change', key, data: { changeId: id }, at, userId, toAddress: newEmail });
}

/**
 * Creates a link for an open change, as `createResetLink` does. @returns null when there is nothing to do with it any more, or when the
 * new address belongs to somebody else: then no e-mail is sent.
 */
export async function createEmailChangeLink(
  em: EntityManager,
  { changeId, purpose, at }: { changeId: string; purpose: Purpose; at: Date },
): Promise<string | null> {
  const change = await em.findOne(EmailChange, { id: changeId });
  if (!change || !isOpen(change, purpose, at) || (await isBlocked(em, change))) return null;
  if (purpose === 'confirm' && (await isTaken(em, change.newEmail, change.userId, at))) return null;
  const token = randomBytes(32).toString('base64url');
  em.persist(em.create(EmailChangeLink, { tokenHash: hashSecret(token), changeId, purpose }));
  return token;
}

/** What a link would do now, and the address the account would have then. @throws Failure `email_link_dead`. */
export async function readEmailChangeLink(
  em: EntityManager,
  token: string,
  at: Date,
): Promise<{ purpose: Purpose; email: string; change: EmailChange }> {
  const link = await em.findOne(EmailChangeLink, { tokenHash: hashSecret(token) });
  const change = link && (await em.findOne(EmailChange, { id: link.changeId }, { refresh: true }));
  if (!change || !isOpen(change, link.purpose, at) || (await isBlocked(em, change)))
    throw new Failure('email_link_dead');
  return { purpose: link.purpose, email: link.purpose === 'confirm' ? change.newEmail : change.oldEmail, change };
}

/**
 * Does what a link says, in the transaction of `em`. Confirming: the account has the new address, all sessions but the one that asked
 * end, and the old address is told. Taking back: the account has the old address, every session ends, and the password, which somebody
 * else knows, opens nothing any more. @returns whose account it is, and which sessions ended; null: all of them.
 * @throws Failure `email_link_dead`, `email_taken`.
 */
export async function useEmailChangeLink(
  em: EntityManager,
  { token, at }: { token: string; at: Date },
): Promise<{ userId: string; ended: string[] | null }> {
  const { userId } = (await readEmailChangeLink(em, token, at)).change;
  const user = await lockUser(em, userId);
  const { purpose, email, change } = await readEmailChangeLink(em, token, at);
  if (await isTaken(em, email, userId, at)) throw new Failure('email_taken');
  const wasProven = user.emailVerifiedAt != null;
  user.email = email;
  // Having the link proves that the address is theirs.
  user.emailVerifiedAt = at;
  if (purpose === 'undo') user.passwordHash = noPassword;
  try {
    await em.flush();
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) throw new Failure('email_taken');
    throw error;
  }
  await writeAudit(em, 'email_changed', { subject: userId, detail: { link: purpose } });
  await endPasswordResets(em, [userId], at);
  if (purpose === 'confirm') {
    // Who never proved the old address may be a stranger to the account: they are told, and cannot take it.
    change.changedAt = at;
    change.undoUntil = wasProven ? new Date(at.getTime() + undoMs) : null;
    if (!wasProven) change.endedAt = at;
    await em.flush();
    const undoUntil = change.undoUntil?.toISOString() ?? null;
    const data = { changeId: change.id, newEmail: email, changedAt: at.toISOString(), undoUntil };
    const key = `email_changed-${change.id}`;
    await addEmail(em, { kind: 'email_changed', key, data, at, userId, toAddress: change.oldEmail });
    return { userId, ended: await endOtherSessions(em, { userId, exceptId: change.sessionId, at }) };
  }
  // Later changes were made by who had taken the account.
  const later = { userId, createdAt: { $gte: change.createdAt }, endedAt: null };
  await em.nativeUpdate(EmailChange, later, { endedAt: at });
  await endSessions(em, [userId], at);
  await forgetDevices(em, userId);
  if (change.changedAt) await dropSecondFactor(em, userId, change.changedAt);
  const data = { restoredAt: at.toISOString() };
  await addEmail(em, { kind: 'email_restored', key: `email_restored-${change.id}`, data, at, userId });
  return { userId, ended: null };
}

/**
 * Ends the changes that a person asked for and did not confirm. One that was confirmed can be taken back for as long as it could: whoever
 * blocked the account may have met a thief, not its owner.
 */
export async function endEmailChanges(em: EntityManager, userId: string, at: Date): Promise<void> {
  await em.nativeUpdate(EmailChange, { userId, changedAt: null, endedAt: null }, { endedAt: at });
}

/** Nothing is done to a blocked account by a link, whenever that was sent. */
async function isBlocked(em: EntityManager, { userId }: EmailChange): Promise<boolean> {
  return (await findUser(em, userId))?.blockedAt != null;
}

/** Deletes changes that were asked for before a moment; by then none can be confirmed or taken back. */
export async function deleteEmailChanges(em: EntityManager, before: Date): Promise<void> {
  await em.nativeDelete(EmailChange, { createdAt: { $lt: before }, ...ofNobodyHeld() });
}

function isOpen({ changedAt, expiresAt, undoUntil, endedAt }: EmailChange, purpose: Purpose, at: Date): boolean {
  if (endedAt) return false;
  return purpose === 'confirm' ? !changedAt && expiresAt > at : undoUntil != null && undoUntil > at;
}

async function isTaken(em: EntityManager, email: string, userId: string, at: Date): Promise<boolean> {
  const other = await findUserByEmail(em, email);
  return (other !== null && other.id !== userId) || isHeldForOwner(em, email, userId, at);
}
