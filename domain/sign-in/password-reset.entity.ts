import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/**
 * A password reset request. It starts with the address as typed; a job then looks up the account, or deletes the
 * request.
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
    /** `used`: the password was changed with it; `replaced`: the user requested another one. */
    ending: p.enum(['used', 'replaced'] as const).nullable(),
  },
});
export type PasswordReset = InferEntity<typeof PasswordReset>;

/** A link sent in a password reset e-mail: each e-mail has a different one, and all expire with the reset. */
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
