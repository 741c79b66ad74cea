import { randomUUID } from 'node:crypto';
import type { AdminRole } from '#core/accounts/admin-roles';
import type { EntityManager } from '#platform/database/database';
import { RoleRequest } from './role-request.entity.ts';

/** A user's pending role, or null. */
export function findRoleRequest(em: EntityManager, userId: string): Promise<RoleRequest | null> {
  return em.findOne(RoleRequest, { userId, outcome: null });
}

/** Records a requested role, in the transaction of `em`; at most one is pending. Returns its id. */
export async function insertRoleRequest(
  em: EntityManager,
  { at, ...request }: { userId: string; role: AdminRole; requestedById: string; at: Date },
): Promise<string> {
  const id = randomUUID();
  await em.persist(em.create(RoleRequest, { id, ...request, requestedAt: at })).flush();
  return id;
}

/** Ends a user's pending role, in the transaction of `em`. */
export async function endRoleRequest(
  em: EntityManager,
  userId: string,
  { at, ...decided }: { decidedById: string; outcome: 'granted' | 'declined' | 'replaced'; at: Date },
): Promise<void> {
  await em.nativeUpdate(RoleRequest, { userId, outcome: null }, { ...decided, decidedAt: at });
}

/** Ends the requests of a former owner, in the transaction of `em`: otherwise the second owner would decide alone. */
export async function endRoleRequestsBy(em: EntityManager, requestedById: string, at: Date): Promise<void> {
  await em.nativeUpdate(RoleRequest, { requestedById, outcome: null }, { outcome: 'declined', decidedAt: at });
}
