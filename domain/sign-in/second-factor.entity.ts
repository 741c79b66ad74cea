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
    /** SHA-256, hex: 136 random bits (once 80) cannot be guessed from it. */
    codeHash: p.text().primary(),
    usedAt: p.datetime().nullable(),
  },
});
export type RecoveryCode = InferEntity<typeof RecoveryCode>;

/** A passkey: the public key of a credential that somebody's device keeps (Web Authentication, W3C). */
export const WebauthnCredential = defineEntity({
  name: 'WebauthnCredential',
  tableName: 'webauthn_credential',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid().index('webauthn_credential_user_id'),
    /** The id that the device gave it, base64url. */
    credentialId: p.text().unique('webauthn_credential_credential_id'),
    /** COSE_Key, CBOR. */
    publicKey: p.blob(),
    /** How often the device has signed with it, as far as it says; synchronized ones always say 0. */
    counter: p.bigint('number'),
    /** How a browser reaches the device ("internal", "usb"). */
    transports: p.array<string>(),
    name: p.text(),
    createdAt: p.datetime(),
    lastUsedAt: p.datetime().nullable(),
  },
});
export type WebauthnCredential = InferEntity<typeof WebauthnCredential>;

/** What a passkey is to sign, for once. The cookie of the browser that asked holds it; its hash is kept here. */
export const WebauthnChallenge = defineEntity({
  name: 'WebauthnChallenge',
  tableName: 'webauthn_challenge',
  properties: {
    /** SHA-256, hex. */
    challengeHash: p.text().primary(),
    /** Who may create a passkey with it, and nothing else; null: an existing one is to sign it. */
    creatorId: p.uuid().nullable(),
    expiresAt: p.datetime().index('webauthn_challenge_expires_at'),
  },
});
export type WebauthnChallenge = InferEntity<typeof WebauthnChallenge>;

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
