import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** The authenticator app (RFC 6238) of an account; one that is not confirmed is being set up and asked for by nobody. */
export const SecondFactor = defineEntity({
  name: 'SecondFactor',
  tableName: 'second_factor',
  properties: {
    userId: p.uuid().primary(),
    /** Encrypted by `SecretBox`, bound to the account. */
    secret: p.text().hidden(),
    startedAt: p.datetime(),
    confirmedAt: p.datetime().nullable(),
    /** The time step (half minutes since 1970) of the last code that was accepted: neither it nor an earlier one is again. */
    lastStep: p.integer().default(0),
  },
});
export type SecondFactor = InferEntity<typeof SecondFactor>;

/** A code in place of the authenticator's, for once. */
export const RecoveryCode = defineEntity({
  name: 'RecoveryCode',
  tableName: 'recovery_code',
  properties: {
    userId: p.uuid().primary(),
    /** SHA-256, hex: 80 random bits cannot be guessed from it. */
    codeHash: p.text().primary(),
    usedAt: p.datetime().nullable(),
  },
});
export type RecoveryCode = InferEntity<typeof RecoveryCode>;

/** A sign-in whose password was right and whose second factor is still to be proven. The cookie holds a secret whose hash is kept here. */
export const PendingSignIn = defineEntity({
  name: 'PendingSignIn',
  tableName: 'pending_sign_in',
  properties: {
    /** SHA-256 of the cookie's secret, hex. */
    tokenHash: p.text().primary(),
    userId: p.uuid().index('pending_sign_in_user_id'),
    remember: p.boolean(),
    expiresAt: p.datetime().index('pending_sign_in_expires_at'),
  },
});
export type PendingSignIn = InferEntity<typeof PendingSignIn>;
