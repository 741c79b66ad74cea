import { randomUUID } from 'node:crypto';
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { Failure } from '#core/contracts/failures';
import { type CreatedPasskey, type PasskeyAnswer, passkeysMax } from '#core/contracts/http/passkeys';
import { minuteMs } from '#core/time/time';
import type { EntityManager } from '#platform/database/database';
import { lockUser, refuseUnproven, type User } from '../accounts/account.repository.ts';
import { recordChange } from '../accounts/account-change.repository.ts';
import { hashSecret } from '../accounts/passwords.ts';
import { WebauthnChallenge, WebauthnCredential } from './second-factor.entity.ts';
import {
  enableSecondFactor,
  endSecondFactorIfLast,
  type FirstFactor,
  readSecondFactor,
  recordSecondFactorChange,
  secondFactorKinds,
} from './second-factor.repository.ts';

/** How long (ms) the browser's passkey dialog may take. */
export const challengeMs = 5 * minuteMs;
/** EdDSA, ES256 and RS256 (IANA COSE algorithms), which covers the devices in use. */
const algorithms = [-8, -7, -257];

/** Loaded on first use, so that the api starts without certificate parsers. */
const library = () => import('@simplewebauthn/server');

/** Relying party: passkeys are bound to the host name, and only pages of the public URL create and use them. */
export const placeOf = (publicUrl: string) => ({
  rpID: new URL(publicUrl).hostname,
  origin: new URL(publicUrl).origin,
});
type Place = ReturnType<typeof placeOf>;

/**
 * Starts creating a passkey: returns the options of `navigator.credentials.create`. Their challenge is valid once, for
 * this account and for five minutes.
 * @throws Failure `email_unproven`, `too_many_passkeys`.
 */
export async function startPasskey(
  em: EntityManager,
  { user, place, at }: { user: Pick<User, 'id' | 'email' | 'emailVerifiedAt' | 'name'>; place: Place; at: Date },
) {
  refuseUnproven(user);
  const { passkeys } = await readSecondFactor(em, user.id);
  if (passkeys.length >= passkeysMax) throw new Failure('too_many_passkeys', { most: passkeysMax });
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    ...{ rpName: 'Chasqui', rpID: place.rpID, userName: user.email, userDisplayName: user.name },
    userID: new TextEncoder().encode(user.id),
    timeout: challengeMs,
    excludeCredentials: passkeys.map(toDescriptor),
    // Discoverable and with user verification, because it replaces both password and second factor.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  });
  await insertChallenge(em, { challenge: options.challenge, creatorId: user.id, at });
  return options;
}

/**
 * Starts a proof by passkey: returns the options of `navigator.credentials.get`, whose challenge is valid once and for
 * five minutes. With `userId`, only that account's passkeys are accepted.
 */
export async function startPasskeyProof(
  em: EntityManager,
  { userId, place, at }: { userId: string | null; place: Place; at: Date },
) {
  const passkeys = userId === null ? [] : (await readSecondFactor(em, userId)).passkeys;
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({
    rpID: place.rpID,
    timeout: challengeMs,
    userVerification: 'required',
    ...(userId !== null && { allowCredentials: passkeys.map(toDescriptor) }),
  });
  await insertChallenge(em, { challenge: options.challenge, creatorId: null, at });
  return options;
}

const toDescriptor = ({ credentialId: id, transports }: WebauthnCredential) => ({ id, transports });

async function insertChallenge(
  em: EntityManager,
  { challenge, creatorId, at }: { challenge: string; creatorId: string | null; at: Date },
): Promise<void> {
  const expiresAt = new Date(at.getTime() + challengeMs);
  await em.insert(WebauthnChallenge, { challengeHash: hashSecret(challenge), creatorId, expiresAt });
}

/**
 * Consumes a challenge in a separate transaction, so that a wrong answer consumes it too.
 * @throws Failure `passkey_refused` for an unknown challenge or one for another purpose.
 */
export async function takeChallenge(
  em: EntityManager,
  { challenge, creatorId, at }: { challenge: string | null; creatorId: string | null; at: Date },
): Promise<string> {
  if (challenge === null) throw new Failure('passkey_refused');
  const where = { challengeHash: hashSecret(challenge), creatorId, expiresAt: { $gt: at } };
  if ((await em.nativeDelete(WebauthnChallenge, where)) === 0) throw new Failure('passkey_refused');
  return challenge;
}

/**
 * Stores a passkey that a browser created, in the transaction of `em`, and notifies the user.
 * @returns as `enableSecondFactor` does.
 * @throws Failure `passkey_refused`; `passkey_exists`, also in another account; `too_many_passkeys`.
 */
export async function addPasskey(
  em: EntityManager,
  input: {
    userId: string;
    sessionId: string;
    name: string;
    passkey: CreatedPasskey;
    challenge: string;
    place: Place;
    at: Date;
  },
): Promise<FirstFactor> {
  const { userId, sessionId, name, passkey, challenge, place, at } = input;
  const { verifyRegistrationResponse } = await library();
  await refuseCertificates(passkey).catch(refuse);
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { ...passkey, response: { ...passkey.response, transports: [] }, clientExtensionResults: {} },
    ...{ expectedChallenge: challenge, expectedOrigin: place.origin, expectedRPID: place.rpID },
    supportedAlgorithmIDs: algorithms,
  }).catch(refuse);
  if (!registrationInfo) throw new Failure('passkey_refused');
  const user = await lockUser(em, userId);
  const isFirst = (await secondFactorKinds(em, userId)) === null;
  if ((await em.count(WebauthnCredential, { userId })) >= passkeysMax)
    throw new Failure('too_many_passkeys', { most: passkeysMax });
  const undo = await recordChange(em, { user, kind: 'factor', at });
  const { id: credentialId, publicKey, counter } = registrationInfo.credential;
  try {
    await em.insert(WebauthnCredential, {
      ...{ id: randomUUID(), userId, credentialId, publicKey: Buffer.from(publicKey), counter, name },
      ...{ transports: passkey.response.transports, createdAt: at, lastUsedAt: null },
    });
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) throw new Failure('passkey_exists');
    throw error;
  }
  const begun = await enableSecondFactor(em, { userId, sessionId, isFirst, at });
  await recordSecondFactorChange(em, { userId, change: 'passkey_added', passkey: name, undo, at });
  return begun;
}

/**
 * Removes one of the user's passkeys, in the transaction of `em`.
 * @throws Failure `not_found`, also for another user's.
 */
export async function removePasskey(
  em: EntityManager,
  { userId, id, at }: { userId: string; id: string; at: Date },
): Promise<void> {
  const user = await lockUser(em, userId);
  const passkey = await em.findOne(WebauthnCredential, { id, userId });
  if (!passkey) throw new Failure('not_found');
  const undo = await recordChange(em, { user, kind: 'factor', at });
  await em.nativeDelete(WebauthnCredential, { id, userId });
  const isLast = await endSecondFactorIfLast(em, userId);
  const change = isLast ? 'removed' : 'passkey_removed';
  await recordSecondFactorChange(em, { userId, change, passkey: passkey.name, undo, at });
}

/** The user id of the passkey named in an answer, or null if it is unknown. */
export async function findPasskeyOwner(em: EntityManager, { id }: PasskeyAnswer): Promise<string | null> {
  return (await em.findOne(WebauthnCredential, { credentialId: id }))?.userId ?? null;
}

/** The signature counter went backwards: the passkey was copied. */
export class PasskeyCopied extends Failure<'passkey_refused'> {
  constructor() {
    super('passkey_refused');
  }
}

/**
 * Verifies a signature by one of the account's passkeys, with user verification, and records its use, in the
 * transaction of `em`.
 * @throws Failure `passkey_refused`; PasskeyCopied.
 */
export async function provePasskey(
  em: EntityManager,
  input: { userId: string; answer: PasskeyAnswer; challenge: string; place: Place; at: Date },
): Promise<void> {
  const { userId, answer, challenge, place, at } = input;
  const known = await em.findOne(WebauthnCredential, { credentialId: answer.id, userId });
  const { userHandle } = answer.response;
  const isTheirs = userHandle === undefined || Buffer.from(userHandle, 'base64url').toString() === userId;
  if (!known || !isTheirs) throw new Failure('passkey_refused');
  const { verifyAuthenticationResponse } = await library();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...answer, clientExtensionResults: {} } as AuthenticationResponseJSON,
    ...{ expectedChallenge: challenge, expectedOrigin: place.origin, expectedRPID: place.rpID },
    // The counter is checked below, once the signature is verified.
    credential: { id: known.credentialId, publicKey: new Uint8Array(known.publicKey), counter: 0 },
  }).catch(refuse);
  if (!verified) throw new Failure('passkey_refused');
  // One statement, so that only one of two concurrent requests counts (Web Authentication, 7.2, step 22).
  const { newCounter: counter } = authenticationInfo;
  const where = { id: known.id, $or: [{ counter: { $lt: counter } }, ...(counter === 0 ? [{ counter: 0 }] : [])] };
  if ((await em.nativeUpdate(WebauthnCredential, where, { counter, lastUsedAt: at })) === 0) throw new PasskeyCopied();
}

/**
 * We request no attestation. The library would check one with certificates and download revocation lists named in them.
 */
async function refuseCertificates({ response }: CreatedPasskey): Promise<void> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers');
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const isSelfSigned = attestation.get('fmt') === 'packed' && !attestation.get('attStmt').get('x5c');
  if (attestation.get('fmt') !== 'none' && !isSelfSigned) throw new Failure('passkey_refused');
}

/** Maps every error of the library to one failure. */
function refuse(): never {
  throw new Failure('passkey_refused');
}
