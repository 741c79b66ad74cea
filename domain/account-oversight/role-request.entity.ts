import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { adminRoles } from '#core/accounts/admin-roles';

/** A role in the admin panel that one owner requests for a user and another one decides on. Never deleted. */
export const RoleRequest = defineEntity({
  name: 'RoleRequest',
  tableName: 'role_request',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    role: p.enum(adminRoles),
    requestedById: p.uuid(),
    requestedAt: p.datetime(),
    /**
     * For a granted role never the user or the author; enforced by the database. Null: it ended because its author is
     * no longer an owner.
     */
    decidedById: p.uuid().nullable(),
    decidedAt: p.datetime().nullable(),
    /** Null while it waits. `replaced`: an owner requested another role, or removed the role. */
    outcome: p.enum(['granted', 'declined', 'replaced'] as const).nullable(),
  },
  indexes: [
    {
      name: 'role_request_open',
      expression: 'create unique index role_request_open on role_request (user_id) where outcome is null',
    },
    {
      name: 'role_request_requested_by_id',
      expression: 'create index role_request_requested_by_id on role_request (requested_by_id) where outcome is null',
    },
  ],
});
export type RoleRequest = InferEntity<typeof RoleRequest>;
