import { randomUUID } from 'node:crypto';
import type { AdminRole } from '#core/accounts/admin-roles';
import { isNarrowerRole } from '#core/accounts/roles';
import { Failure } from '#core/contracts/failures';
import type { EntityManager } from '#platform/database/database';
import {
  adminRoleOf,
  findUser,
  hasOtherOwner,
  lockUser,
  refuseUnproven,
  requireSecondPerson,
  rereadUser,
  type User,
} from '../accounts/account.repository.ts';
import { nothingToAudit, writeAudit } from '../audit/audit.repository.ts';
import { addEmailToAdmins } from '../emails/email.repository.ts';
import { endSessions } from '../sign-in/session.repository.ts';
import { endRequestsOf } from './end-requests.ts';
import { endRoleRequest, findRoleRequest, insertRoleRequest } from './role-request.repository.ts';

/**
 * Grants a role in the admin panel, or removes it (null), in the transaction of `em`. A role without additional
 * permissions takes effect at once; any other awaits a second owner, so that no owner can create an approver alone. It
 * replaces an earlier pending role. Owners cannot change their own role, so there is always an owner, and a former
 * owner can change nothing.
 * @throws Failure `forbidden` also for their own, `not_found`, `account_closed`, `account_blocked`, `email_unproven`,
 * `second_owner_missing`.
 */
export async function setAdminRole(
  em: EntityManager,
  input: { userId: string; role: AdminRole | null; ownerId: string; at: Date },
): Promise<void> {
  const { userId, role, ownerId, at } = input;
  const user = await lockForRole(em, { userId, ownerId });
  const from = adminRoleOf(user);
  await endRoleRequest(em, userId, { decidedById: ownerId, outcome: 'replaced', at });
  const isImmediate = from === role || isNarrowerRole(from, role);
  if (isImmediate) nothingToAudit('role_requested');
  if (from === role) return;
  if (isImmediate) return applyRole(em, user, { role, requestedById: ownerId, confirmedById: null, at });
  refuseUnproven(user);
  if (role === null || !(await hasOtherOwner(em, [ownerId, userId]))) throw new Failure('second_owner_missing');
  const id = await insertRoleRequest(em, { userId, role, requestedById: ownerId, at });
  await writeAudit(em, 'role_requested', { subject: userId, detail: { from, to: role } });
  const data = { userId, name: user.name, role, requestedBy: (await findUser(em, ownerId))?.name ?? '' };
  await addEmailToAdmins(em, {
    ...{ kind: 'role_waiting', key: `role_waiting-${id}`, data, at },
    ...{ roles: ['owner'], exceptIds: [ownerId, userId] },
  });
}

/**
 * The second owner's decision on a pending role, in the transaction of `em`. Its author can only withdraw it.
 * @throws Failure as `setAdminRole`, `own_request`, `role_too_new`; `request_ended` without one, or for another role
 * than they saw.
 */
export async function decideRole(
  em: EntityManager,
  input: { userId: string; role: AdminRole; approve: boolean; ownerId: string; at: Date },
): Promise<void> {
  const { userId, role, approve, ownerId, at } = input;
  const user = await lockForRole(em, { userId, ownerId });
  const request = await findRoleRequest(em, userId);
  if (request?.role !== role) throw new Failure('request_ended');
  const { requestedById } = request;
  if (approve) await requireSecondPerson(em, { personId: ownerId, requestedById, at });
  const outcome = approve ? 'granted' : 'declined';
  await endRoleRequest(em, userId, { decidedById: ownerId, outcome, at });
  if (approve) return applyRole(em, user, { role, requestedById, confirmedById: ownerId, at });
  await writeAudit(em, 'role_declined', { subject: userId, detail: { role } });
  nothingToAudit('role_changed');
}

/** Locks a user whose role an owner decides on. Decisions on roles are serialized. */
async function lockForRole(em: EntityManager, { userId, ownerId }: { userId: string; ownerId: string }): Promise<User> {
  if (userId === ownerId) throw new Failure('forbidden');
  await em.execute(`select pg_advisory_xact_lock(hashtext('admin_roles'))`);
  const owner = await rereadUser(em, ownerId);
  if (adminRoleOf(owner) !== 'owner') throw new Failure('forbidden');
  if (!(await findUser(em, userId))) throw new Failure('not_found');
  const user = await lockUser(em, userId).catch((error) => {
    throw error instanceof Failure ? new Failure('account_closed') : error;
  });
  if (user.blockedAt) throw new Failure('account_blocked');
  return user;
}

/**
 * Changes a role, ends the user's sessions and the requests that the new role does not permit, and notifies every
 * owner.
 */
async function applyRole(
  em: EntityManager,
  user: User,
  change: { role: AdminRole | null; requestedById: string; confirmedById: string | null; at: Date },
): Promise<void> {
  const { role, requestedById, confirmedById, at } = change;
  const from = adminRoleOf(user);
  user.role = role ? 'admin' : 'user';
  user.adminRole = role;
  if (confirmedById !== null) user.adminRoleSince = at;
  await writeAudit(em, 'role_changed', { subject: user.id, detail: { from, to: role } });
  await em.flush();
  await endRequestsOf(em, { personId: user.id, role, at });
  await endSessions(em, [user.id], at);
  await announceRole(em, { user, from, role, requestedById, confirmedById, at });
}

/** E-mails every owner that a user's role changed; `requestedById` null: on the command line. */
export async function announceRole(
  em: EntityManager,
  change: {
    user: Pick<User, 'id' | 'name'>;
    from: AdminRole | null;
    role: AdminRole | null;
    requestedById: string | null;
    confirmedById: string | null;
    at: Date;
  },
): Promise<void> {
  const { user, from, role, requestedById, confirmedById, at } = change;
  const nameOf = async (id: string | null) => (id === null ? null : ((await findUser(em, id))?.name ?? ''));
  const [requestedBy, confirmedBy] = [await nameOf(requestedById), await nameOf(confirmedById)];
  const data = { userId: user.id, name: user.name, from, role, requestedBy, confirmedBy };
  await addEmailToAdmins(em, { kind: 'role_changed', key: `role_changed-${randomUUID()}`, data, at, roles: ['owner'] });
}
