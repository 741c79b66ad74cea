import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** The authenticator app (RFC 6238) of an account. An unconfirmed one is still being set up and is never required. */
export const SecondFactor = defineEntity({
  name: 'SecondFactor',
  tableName: 'second_factor',
  properties: {
    userId: p.uuid().primary(),
    /** Encrypted by `SecretBox`, bound to the account. */
    secret: p.text().hidden(),
    startedAt: p.datetime(),
    confirmedAt: p.datetime().nullable(),
    /**
     * The time step (half minutes since 1970) of the last accepted code; it and earlier ones are not accepted again.
     */
    lastStep: p.integer().default(0),
  },
});
export type SecondFactor = InferEntity<typeof SecondFactor>;

/** A one-time code that replaces the authenticator's. */
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

/** A passkey: the public key of a credential stored on the user's device (Web Authentication, W3C). */
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
    /** How often the device has signed with it, if it counts; synchronized passkeys always report 0. */
    counter: p.bigint('number'),
    /** How a browser reaches the device ("internal", "usb"). */
    transports: p.array<string>(),
    name: p.text(),
    createdAt: p.datetime(),
    lastUsedAt: p.datetime().nullable(),
  },
});
export type WebauthnCredential = InferEntity<typeof WebauthnCredential>;

/** A one-time challenge for a passkey to sign. The requesting browser's cookie holds it; only its hash is stored. */
export const WebauthnChallenge = defineEntity({
  name: 'WebauthnChallenge',
  tableName: 'webauthn_challenge',
  properties: {
    /** SHA-256, hex. */
    challengeHash: p.text().primary(),
    /** The user who may create a passkey with it; null: it is for a signature by an existing passkey. */
    creatorId: p.uuid().nullable(),
    expiresAt: p.datetime().index('webauthn_challenge_expires_at'),
  },
});
export type WebauthnChallenge = InferEntity<typeof WebauthnChallenge>;

/**
 * A sign-in with a correct password, awaiting the second factor. The cookie holds a secret of which only the hash is
 * stored.
 */
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
