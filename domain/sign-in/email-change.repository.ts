import { randomBytes, randomUUID } from 'node:crypto';
import { Failure } from '#core/contracts/failures';
import { hourMs } from '#core/time/time';
import type { EntityManager } from '#platform/database/database';
import { changeAddress, findUser, isAddressTaken, lockUser, type User } from '../accounts/account.repository.ts';
import { recordChange } from '../accounts/account-change.repository.ts';
import { notOnLegalHold } from '../accounts/legal-hold.repository.ts';
import { hashSecret } from '../accounts/passwords.ts';
import { writeAudit } from '../audit/audit.repository.ts';
import { addEmail } from '../emails/email.repository.ts';
import { EmailChange, EmailChangeLink } from './email-change.entity.ts';
import { endPendingChanges } from './pending-changes.repository.ts';
import { endOtherSessions } from './session.repository.ts';

/** How long after the request a new address can be confirmed, in ms. */
const confirmMs = hourMs;

/**
 * Requests a change of e-mail address, in the transaction of `em`, and queues a confirmation e-mail to the new address.
 * Whether that address already has an account is checked when the e-mail is sent, so the caller learns nothing about
 * other accounts. `verified` is the account whose password was checked.
 * @throws Failure `wrong_password` when the password has changed since, `email_unchanged`.
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
  await em.nativeUpdate(EmailChange, { userId, changedAt: null, endedAt: null }, { endedAt: at });
  const id = randomUUID();
  const expiresAt = new Date(at.getTime() + confirmMs);
  const addresses = { oldEmail: user.email, newEmail };
  await em.persist(em.create(EmailChange, { id, userId, sessionId, ...addresses, createdAt: at, expiresAt })).flush();
  const key = `email_change-${id}`;
  await addEmail(em, { kind: 'email_change', key, data: { changeId: id }, at, userId, toAddress: newEmail });
}

/**
 * Creates a link for an open change, as `createResetLink` does.
 * @returns null, so that no e-mail is sent, when the change can no longer be confirmed or the new address belongs to
 * another account.
 */
export async function createEmailChangeLink(
  em: EntityManager,
  { changeId, at }: { changeId: string; at: Date },
): Promise<string | null> {
  const change = await em.findOne(EmailChange, { id: changeId });
  if (!change || !(await isOpen(em, change, at))) return null;
  if (await isAddressTaken(em, change.newEmail, change.userId, at)) return null;
  const token = randomBytes(32).toString('base64url');
  em.persist(em.create(EmailChangeLink, { tokenHash: hashSecret(token), changeId, purpose: 'confirm' }));
  return token;
}

/** The change that a link confirms. @throws Failure `email_link_dead`. */
export async function readEmailChangeLink(em: EntityManager, token: string, at: Date): Promise<EmailChange> {
  const link = await em.findOne(EmailChangeLink, { tokenHash: hashSecret(token), purpose: 'confirm' });
  const change = link && (await em.findOne(EmailChange, { id: link.changeId }, { refresh: true }));
  if (!change || !(await isOpen(em, change, at))) throw new Failure('email_link_dead');
  return change;
}

/**
 * Confirms a change by its link, in the transaction of `em`: sets the new address, ends all sessions except the one
 * that requested it and the reset links sent to the old address, and notifies that address.
 * @returns the sessions that ended.
 * @throws Failure `email_link_dead`, `email_taken`.
 */
export async function confirmEmailChange(
  em: EntityManager,
  { token, at }: { token: string; at: Date },
): Promise<string[]> {
  const { userId } = await readEmailChangeLink(em, token, at);
  const user = await lockUser(em, userId);
  const change = await readEmailChangeLink(em, token, at);
  const { newEmail, oldEmail } = change;
  const wasProven = user.emailVerifiedAt != null;
  const { data: undo } = await recordChange(em, { user, kind: 'email', at });
  change.changedAt = at;
  change.endedAt = at;
  await changeAddress(em, user, { email: newEmail, at });
  await writeAudit(em, 'email_changed', { subject: userId });
  await endPendingChanges(em, [userId], at);
  const data = { ...undo, newEmail: wasProven ? newEmail : null, changedAt: at.toISOString() };
  await addEmail(em, {
    kind: 'email_changed',
    key: `email_changed-${change.id}`,
    data,
    at,
    userId,
    toAddress: oldEmail,
  });
  return endOtherSessions(em, { userId, exceptId: change.sessionId, at });
}

/** Whether a change can be confirmed. Links do not change blocked accounts. */
async function isOpen(
  em: EntityManager,
  { userId, changedAt, expiresAt, endedAt }: EmailChange,
  at: Date,
): Promise<boolean> {
  return !changedAt && !endedAt && expiresAt > at && (await findUser(em, userId))?.blockedAt == null;
}

/** Deletes changes requested before a moment, when none can be confirmed any more. */
export async function deleteEmailChanges(em: EntityManager, before: Date): Promise<void> {
  await em.nativeDelete(EmailChange, { createdAt: { $lt: before }, ...notOnLegalHold() });
}
