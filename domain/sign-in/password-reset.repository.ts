import { randomBytes, randomUUID } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import { Failure } from '#core/contracts/failures';
import { hourMs } from '#core/time/time';
import type { EntityManager } from '#platform/database/database';
import { addJob } from '#platform/outbox/outbox';
import { lockUser, lockUserByEmail } from '../accounts/account.repository.ts';
import { recordChange, restoreFactors } from '../accounts/account-change.repository.ts';
import { notOnLegalHold } from '../accounts/legal-hold.repository.ts';
import { hashSecret } from '../accounts/passwords.ts';
import { writeAudit } from '../audit/audit.repository.ts';
import { addEmail } from '../emails/email.repository.ts';
import { forgetDevices } from './known-device.repository.ts';
import { PasswordReset, PasswordResetLink } from './password-reset.entity.ts';
import { endPendingChanges } from './pending-changes.repository.ts';
import { dropSecondFactor } from './second-factor.repository.ts';
import { endSessions } from './session.repository.ts';

/** Validity of a reset link after the request, in ms. */
const resetMs = hourMs;

/**
 * Records a password reset request, in the transaction of `em`. A job looks up the account later, so the caller learns
 * nothing, not even from the response time.
 */
export function requestPasswordReset(em: EntityManager, { email, at }: { email: string; at: Date }): void {
  const id = randomUUID();
  const expiresAt = new Date(at.getTime() + resetMs);
  em.persist(em.create(PasswordReset, { id, email, createdAt: at, expiresAt }));
  addJob(em, 'issue-password-reset', { resetId: id });
}

/**
 * Finds the account of a request and queues the e-mail, in the transaction of `em`; deletes the request if there is no
 * account or it is blocked. The newest request ends the user's others, whatever the order of the jobs.
 */
export async function issuePasswordReset(em: EntityManager, resetId: string, at: Date): Promise<void> {
  const waiting = { id: resetId, userId: null };
  const reset = await em.findOne(PasswordReset, waiting, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!reset) return;
  const user = reset.expiresAt > at ? await lockUserByEmail(em, reset.email ?? '') : null;
  if (!user || user.closedAt || user.blockedAt) {
    await em.nativeDelete(PasswordReset, waiting);
    return;
  }
  reset.email = null;
  reset.userId = user.id;
  const newer = await em.count(PasswordReset, { userId: user.id, createdAt: { $gt: reset.createdAt } });
  if (newer > 0) {
    reset.endedAt = at;
    reset.ending = 'replaced';
    return;
  }
  await em.nativeUpdate(
    PasswordReset,
    { userId: user.id, endedAt: null, id: { $ne: resetId } },
    { endedAt: at, ending: 'replaced' },
  );
  const key = `password_recovery-${resetId}`;
  await addEmail(em, { kind: 'password_recovery', key, data: { resetId }, at, userId: user.id });
}

/**
 * Creates a link for an open request, in the transaction of `em`, and returns its token, of which only the hash is
 * stored. Commit before sending: a delivered link must be in the database. Earlier links stay valid, because their
 * e-mail may have arrived although the mail server's answer was lost.
 * @returns null when the request has ended or expired.
 */
export async function createResetLink(em: EntityManager, resetId: string, at: Date): Promise<string | null> {
  const open = await em.findOne(PasswordReset, { id: resetId, endedAt: null, expiresAt: { $gt: at } });
  if (!open) return null;
  const token = randomBytes(32).toString('base64url');
  em.persist(em.create(PasswordResetLink, { tokenHash: hashSecret(token), resetId }));
  return token;
}

/**
 * The account whose password a link may set; does not use the link.
 * @throws Failure `recovery_link_unknown`, `recovery_link_expired`, `recovery_link_used` or `recovery_link_replaced`.
 */
export async function readResetLink(
  em: EntityManager,
  token: string,
  at: Date,
): Promise<{ resetId: string; userId: string }> {
  const link = await em.findOne(PasswordResetLink, { tokenHash: hashSecret(token) });
  const reset = link && (await em.findOne(PasswordReset, { id: link.resetId }, { refresh: true }));
  if (!reset?.userId) throw new Failure('recovery_link_unknown');
  if (reset.ending === 'used') throw new Failure('recovery_link_used');
  if (reset.ending === 'replaced') throw new Failure('recovery_link_replaced');
  if (reset.expiresAt <= at) throw new Failure('recovery_link_expired', { validForSeconds: resetMs / 1000 });
  return { resetId: reset.id, userId: reset.userId };
}

/**
 * Sets a new password with a link, in the transaction of `em`: consumes the reset, ends every session and everything
 * pending, forgets remembered devices and writes the confirmation e-mail. `undoFactors` restores the second factors of
 * seven days ago. The link also proves the address. Of several concurrent calls exactly one succeeds.
 * @returns the user's id.
 * @throws Failure as `readResetLink` does.
 */
export async function resetPassword(
  em: EntityManager,
  input: { token: string; passwordHash: string; undoFactors?: boolean; at: Date },
): Promise<string> {
  const { token, passwordHash, undoFactors = false, at } = input;
  const { userId } = await readResetLink(em, token, at);
  // Password changes, other resets and sign-ins of this user wait for this transaction.
  const user = await lockUser(em, userId);
  const { resetId } = await readResetLink(em, token, at);
  // Until now the address was unproven, and a stranger's second factor may have locked its owner out.
  if (!user.emailVerifiedAt) await dropSecondFactor(em, userId);
  user.emailVerifiedAt ??= at;
  const { data: undo, ...to } = await recordChange(em, { user, kind: 'password', at });
  if (undoFactors) await restoreFactors(em, { userId, at });
  user.passwordHash = passwordHash;
  await em.flush();
  await em.nativeUpdate(PasswordReset, { id: resetId }, { endedAt: at, ending: 'used' });
  await endPendingChanges(em, [userId], at);
  await endSessions(em, [userId], at);
  await forgetDevices(em, userId);
  await writeAudit(em, 'password_reset', { subject: userId, ...(undoFactors && { detail: { undoFactors } }) });
  const data = { ...undo, changedAt: at.toISOString(), keptSession: false };
  await addEmail(em, { kind: 'password_changed', key: `password_changed-${resetId}`, data, at, userId, ...to });
  return userId;
}

/** Deletes resets that expired before a moment. */
export async function deletePasswordResets(em: EntityManager, before: Date): Promise<void> {
  await em.nativeDelete(PasswordReset, { expiresAt: { $lt: before }, ...notOnLegalHold() });
}
