import { randomUUID } from 'node:crypto';
import { Failure } from '#core/contracts/failures';
import type { EntityManager } from '#platform/database/database';
import { lockUser, type User } from '../accounts/account.repository.ts';
import { recordChange } from '../accounts/account-change.repository.ts';
import { writeAudit } from '../audit/audit.repository.ts';
import { addEmail } from '../emails/email.repository.ts';
import { hidePhone } from '../personal-data/personal-data.ts';
import { forgetDevices } from '../sign-in/known-device.repository.ts';
import { endPendingChanges } from '../sign-in/pending-changes.repository.ts';
import { endOtherSessions } from '../sign-in/session.repository.ts';
import { countUnderWay } from '../transfers/transfer.repository.ts';

/** Personal details; omitted fields are erased. */
export type PersonDetails = Pick<User, 'name'> & {
  readonly [Field in 'phone' | 'city' | 'occupation']?: string | undefined;
};

/**
 * Changes personal details, in the transaction of `em`. The name cannot change while a transfer is under way: it was
 * screened, and changing it must not shake off a hit.
 * @throws Failure `name_in_use`.
 */
export async function changeDetails(em: EntityManager, userId: string, details: PersonDetails): Promise<User> {
  const user = await lockUser(em, userId);
  if (details.name !== user.name && (await countUnderWay(em, userId)) > 0) throw new Failure('name_in_use');
  user.name = details.name;
  em.assign(user, hidePhone(em, userId, details.phone));
  user.city = details.city || null;
  user.occupation = details.occupation || null;
  await em.flush();
  return user;
}

/**
 * Sets a new password for a signed-in user, in the transaction of `em`: ends other sessions and everything pending,
 * forgets remembered devices and writes the confirmation e-mail. `verified` is the account whose password was checked.
 * @returns the sessions that ended.
 * @throws Failure `wrong_password` when the password has changed since.
 */
export async function changePassword(
  em: EntityManager,
  input: { verified: Pick<User, 'id' | 'passwordHash'>; passwordHash: string; sessionId: string; at: Date },
): Promise<string[]> {
  const { verified, passwordHash, sessionId, at } = input;
  const userId = verified.id;
  const user = await lockUser(em, userId);
  if (user.passwordHash !== verified.passwordHash) throw new Failure('wrong_password');
  const { data: undo, ...to } = await recordChange(em, { user, kind: 'password', at });
  user.passwordHash = passwordHash;
  await em.flush();
  await endPendingChanges(em, [userId], at);
  await forgetDevices(em, userId);
  await writeAudit(em, 'password_changed', { subject: userId });
  const data = { ...undo, changedAt: at.toISOString(), keptSession: true };
  await addEmail(em, { kind: 'password_changed', key: `password_changed-${randomUUID()}`, data, at, userId, ...to });
  return endOtherSessions(em, { userId, exceptId: sessionId, at });
}
