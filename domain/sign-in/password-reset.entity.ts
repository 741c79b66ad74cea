import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/**
 * A request for a new password. It starts with the address as it was typed; a job looks it up, and then the request belongs to an
 * account or is deleted.
 */
export const PasswordReset = defineEntity({
  name: 'PasswordReset',
  tableName: 'password_recovery',
  properties: {
    id: p.uuid().primary(),
    email: p.text().nullable(),
    userId: p.uuid().nullable().index(),
    createdAt: p.datetime(),
    expiresAt: p.datetime().index(),
    endedAt: p.datetime().nullable(),
    /** `used`: the password was changed with it; `replaced`: the person asked again. */
    ending: p.enum(['used', 'replaced'] as const).nullable(),
  },
});
export type PasswordReset = InferEntity<typeof PasswordReset>;

/** The link in the e-mail of a password reset: each sending has its own, and all of them end with the reset. */
export const PasswordResetLink = defineEntity({
  name: 'PasswordResetLink',
  tableName: 'password_recovery_link',
  properties: {
    /** SHA-256 of the link's token, hex. */
    tokenHash: p.text().primary(),
    resetId: p.uuid().fieldName('recovery_id').index('password_recovery_link_recovery_id_index'),
  },
});
export type PasswordResetLink = InferEntity<typeof PasswordResetLink>;
