import type { EntityManager } from '#platform/database/database';
import {
  createUser,
  findUnlockedUsers,
  findUserByEmail,
  noPassword,
  type User,
} from '../accounts/account.repository.ts';
import { endUndo } from '../accounts/account-change.repository.ts';
import { refuseGuessable } from '../accounts/password-rules.ts';
import { hashPassword } from '../accounts/passwords.ts';
import { writeAudit } from '../audit/audit.repository.ts';
import { endPendingChanges } from '../sign-in/pending-changes.repository.ts';
import { dropSecondFactor } from '../sign-in/second-factor.repository.ts';
import { endSessions } from '../sign-in/session.repository.ts';
import { endRequestsOf } from './end-requests.ts';

/**
 * Ensures that the operator's admin account exists. If another person opened an account with this address, it is taken
 * over: name and password are replaced, and its sessions, second factors and pending changes end, because addresses are
 * not verified at sign-up.
 * @throws Failure `invalid_input` for a password that `refuseGuessable` rejects.
 */
export async function ensureAdmin(
  em: EntityManager,
  input: { email: string; name: string; password: string; at: Date },
): Promise<User> {
  const email = input.email.trim().toLowerCase();
  const existing = await findUserByEmail(em, email);
  if (existing?.role === 'admin' && existing.adminRole) return existing;
  refuseGuessable(input.password, { ...input, email });
  const passwordHash = await hashPassword(input.password);
  if (!existing) {
    const admin = await createUser(em, {
      email,
      name: input.name,
      passwordHash,
      role: 'admin',
      // The operator vouches for it.
      emailVerifiedAt: input.at,
      termsAcceptedAt: null,
      at: input.at,
    });
    await auditRole(em, admin.id, 'owner');
    return admin;
  }
  existing.role = 'admin';
  existing.adminRole = 'owner';
  existing.name = input.name;
  existing.passwordHash = passwordHash;
  existing.emailVerifiedAt ??= input.at;
  existing.closedAt = null;
  existing.erasureDueAt = null;
  await em.flush();
  await endSessions(em, [existing.id], input.at);
  await dropSecondFactor(em, existing.id);
  await endPendingChanges(em, [existing.id], input.at);
  await endUndo(em, existing.id, { at: input.at });
  await auditRole(em, existing.id, 'owner');
  return existing;
}

/**
 * Locks accounts whose password may have leaked: no rights, no working password, no sessions, no open password reset.
 * @returns the addresses it locked, without unknown and already locked ones.
 */
export async function lockAccounts(em: EntityManager, emails: readonly string[], at: Date): Promise<string[]> {
  const found = await findUnlockedUsers(em, emails);
  const userIds = found.map(({ id }) => id);
  for (const user of found) {
    user.role = 'user';
    user.adminRole = null;
    user.passwordHash = noPassword;
  }
  await em.flush();
  for (const id of userIds) {
    await auditRole(em, id, null);
    await endRequestsOf(em, { personId: id, role: null, at });
    // An intruder may have added a passkey, which needs no password.
    await dropSecondFactor(em, id);
    await endUndo(em, id, { at });
  }
  await endSessions(em, userIds, at);
  await endPendingChanges(em, userIds, at);
  return found.map(({ email }) => email);
}

const auditRole = (em: EntityManager, subject: string, role: 'owner' | null) =>
  writeAudit(em, 'role_changed', { subject, detail: { to: role } });
