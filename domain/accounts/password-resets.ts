import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import { Failure } from '#core/contracts/failures';
import { hourMs } from '#core/time/time';
import type { EntityManager } from '#platform/database/database';
import { addJob } from '#platform/outbox/outbox';
import { addMail } from '../notifications/email.repository.ts';
import { PasswordRecovery, PasswordRecoveryLink, Session, User } from './account.entity.ts';
import { forgetDevices } from './known-device.repository.ts';

/** How long after it was asked for a link may be used, in ms. */
const recoveryMs = hourMs;

/**
 * Writes down that somebody wants a new password for an address, in the transaction of `em`. Whether there is such an account is
 * looked up later, by a job: whoever asks learns nothing, not even from how long it took.
 */
export function askForRecovery(em: EntityManager, { email, at }: { email: string; at: Date }): void {
  const id = randomUUID();
  const expiresAt = new Date(at.getTime() + recoveryMs);
  em.persist(em.create(PasswordRecovery, { id, email, createdAt: at, expiresAt }));
  addJob(em, 'answer-recovery', { recoveryId: id });
}

/**
 * Finds out whose recovery it is and writes the e-mail, in the transaction of `em`; one that is nobody's is deleted. The newest one
 * ends the person's others, in whatever order their jobs run.
 */
export async function answerRecovery(em: EntityManager, recoveryId: string, at: Date): Promise<void> {
  const waiting = { id: recoveryId, userId: null };
  const recovery = await em.findOne(PasswordRecovery, waiting, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!recovery) return;
  const user =
    recovery.expiresAt > at
      ? await em.findOne(User, { email: recovery.email ?? '' }, { lockMode: LockMode.PESSIMISTIC_WRITE })
      : null;
  if (!user) {
    await em.nativeDelete(PasswordRecovery, waiting);
    return;
  }
  recovery.email = null;
  recovery.userId = user.id;
  const newer = await em.count(PasswordRecovery, { userId: user.id, createdAt: { $gt: recovery.createdAt } });
  if (newer > 0) {
    recovery.endedAt = at;
    recovery.ending = 'replaced';
    return;
  }
  await em.nativeUpdate(
    PasswordRecovery,
    { userId: user.id, endedAt: null, id: { $ne: recoveryId } },
    { endedAt: at, ending: 'replaced' },
  );
  const key = `password_recovery-${recoveryId}`;
  await addMail(em, { kind: 'password_recovery', key, data: { recoveryId }, at, userId: user.id });
}

/**
 * Makes a link for a recovery that still waits, in the transaction of `em`, and gives its token, of which only the hash is kept.
 * Commit before the token leaves the house: what somebody holds has to be known here. An earlier link stays valid, because an
 * e-mail may have arrived although its sender never learned of it.
 * @returns null when the recovery has ended or expired, so that no link of it would be worth anything.
 */
export async function makeRecoveryLink(em: EntityManager, recoveryId: string, at: Date): Promise<string | null> {
  const open = await em.findOne(PasswordRecovery, { id: recoveryId, endedAt: null, expiresAt: { $gt: at } });
  if (!open) return null;
  const token = randomBytes(32).toString('base64url');
  em.persist(em.create(PasswordRecoveryLink, { tokenHash: hashOf(token), recoveryId }));
  return token;
}

/**
 * Whose password a link may set now; the link stays as it is.
 * @throws Failure `recovery_link_unknown`, `recovery_link_expired`, `recovery_link_used` or `recovery_link_replaced`.
 */
export async function readRecoveryLink(
  em: EntityManager,
  token: string,
  at: Date,
): Promise<{ recoveryId: string; userId: string }> {
  const link = await em.findOne(PasswordRecoveryLink, { tokenHash: hashOf(token) });
  const recovery = link && (await em.findOne(PasswordRecovery, { id: link.recoveryId }, { refresh: true }));
  if (!recovery?.userId) throw new Failure('recovery_link_unknown');
  if (recovery.ending === 'used') throw new Failure('recovery_link_used');
  if (recovery.ending === 'replaced') throw new Failure('recovery_link_replaced');
  if (recovery.expiresAt <= at) throw new Failure('recovery_link_expired');
  return { recoveryId: recovery.id, userId: recovery.userId };
}

/**
 * Sets a new password with a link, in the transaction of `em`: uses the recovery up, ends every session of the person, forgets their devices and writes the
 * e-mail that says so. Having the link proves that the address is theirs. Of several at once exactly one succeeds.
 * @returns the person's id.
 * @throws Failure as `readRecoveryLink` does.
 */
export async function resetPassword(
  em: EntityManager,
  { token, passwordHash, at }: { token: string; passwordHash: string; at: Date },
): Promise<string> {
  const { userId } = await readRecoveryLink(em, token, at);
  // Whoever changes this person's password or recoveries, or signs in, waits here for the other.
  const user = await em.findOneOrFail(User, { id: userId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const { recoveryId } = await readRecoveryLink(em, token, at);
  user.passwordHash = passwordHash;
  user.emailVerifiedAt ??= at;
  await em.flush();
  await em.nativeUpdate(PasswordRecovery, { id: recoveryId }, { endedAt: at, ending: 'used' });
  await em.nativeUpdate(Session, { userId, endedAt: null }, { endedAt: at });
  await forgetDevices(em, userId);
  const data = { changedAt: at.toISOString() };
  await addMail(em, { kind: 'password_changed', key: `password_changed-${recoveryId}`, data, at, userId });
  return userId;
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
