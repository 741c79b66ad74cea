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
  beginToAsk,
  type FirstFactor,
  readSecondFactor,
  secondFactorKinds,
  stopToAsk,
  tellSecondFactor,
} from './second-factor.repository.ts';

/** How long (ms) a browser may take to ask the person and come back. */
export const challengeMs = 5 * minuteMs;
/** EdDSA, ES256 and RS256 (IANA COSE algorithms): what devices in use sign with. */
const algorithms = [-8, -7, -257];

/** Loaded at the first use: the api starts without its parsers of certificates. */
const library = () => import('@simplewebauthn/server');

/** Where passkeys belong: they are bound to the host name, and made and used on pages of the public URL alone. */
export const placeOf = (publicUrl: string) => ({
  rpID: new URL(publicUrl).hostname,
  origin: new URL(publicUrl).origin,
});
type Place = ReturnType<typeof placeOf>;

/**
 * Begins to create a passkey: answers the options of `navigator.credentials.create`. Their challenge counts once, for this account and
 * for five minutes. @throws Failure `email_unproven`, `too_many_passkeys`.
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
    // Found by the device without a name, and never used by who only holds it: it stands for password and second factor together.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  });
  await insertChallenge(em, { challenge: options.challenge, creatorId: user.id, at });
  return options;
}

/**
 * Begins a proof by a passkey: answers the options of `navigator.credentials.get`, whose challenge counts once and for five minutes. With
 * `userId` only passkeys of that account are asked for.
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
 * Uses a challenge up, outside the transaction that it is for: a wrong answer uses it up, too.
 * @throws Failure `passkey_refused` when it is not there any more, or for something else.
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
 * Keeps a passkey that a browser created, in the transaction of `em`, and tells the person. Answers as `beginToAsk` does.
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
  const begun = await beginToAsk(em, { userId, sessionId, isFirst, at });
  await tellSecondFactor(em, { userId, change: 'passkey_added', passkey: name, undo, at });
  return begun;
}

/** Takes a passkey of one's own away, in the transaction of `em`. @throws Failure `not_found`, also for another person's. */
export async function removePasskey(
  em: EntityManager,
  { userId, id, at }: { userId: string; id: string; at: Date },
): Promise<void> {
  const user = await lockUser(em, userId);
  const passkey = await em.findOne(WebauthnCredential, { id, userId });
  if (!passkey) throw new Failure('not_found');
  const undo = await recordChange(em, { user, kind: 'factor', at });
  await em.nativeDelete(WebauthnCredential, { id, userId });
  const isLast = await stopToAsk(em, userId);
  const change = isLast ? 'removed' : 'passkey_removed';
  await tellSecondFactor(em, { userId, change, passkey: passkey.name, undo, at });
}

/** Whose passkey an answer claims to come from; null when nobody has it. */
export async function findPasskeyOwner(em: EntityManager, { id }: PasskeyAnswer): Promise<string | null> {
  return (await em.findOne(WebauthnCredential, { credentialId: id }))?.userId ?? null;
}

/** A passkey signed, but counted less than before: there is a copy of it. */
export class PasskeyCopied extends Failure<'passkey_refused'> {
  constructor() {
    super('passkey_refused');
  }
}

/**
 * Checks what a passkey of an account signed, with the person verified by the device, and notes its use, in the transaction of `em`.
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
    // The counter is looked at below, once the signature says that it is the passkey's.
    credential: { id: known.credentialId, publicKey: new Uint8Array(known.publicKey), counter: 0 },
  }).catch(refuse);
  if (!verified) throw new Failure('passkey_refused');
  // One statement: also of two requests at the same time only one counts (Web Authentication, 7.2, step 22).
  const { newCounter: counter } = authenticationInfo;
  const where = { id: known.id, $or: [{ counter: { $lt: counter } }, ...(counter === 0 ? [{ counter: 0 }] : [])] };
  if ((await em.nativeUpdate(WebauthnCredential, where, { counter, lastUsedAt: at })) === 0) throw new PasskeyCopied();
}

/** We ask for no attestation. The library would check one with certificates, and fetch lists of revoked ones from addresses in them. */
async function refuseCertificates({ response }: CreatedPasskey): Promise<void> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers');
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const isSelfSigned = attestation.get('fmt') === 'packed' && !attestation.get('attStmt').get('x5c');
  if (attestation.get('fmt') !== 'none' && !isSelfSigned) throw new Failure('passkey_refused');
}

/** What the library cannot read or verify, it throws: for us one answer. */
function refuse(): never {
  throw new Failure('passkey_refused');
}
