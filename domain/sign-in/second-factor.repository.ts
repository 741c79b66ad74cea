import { randomUUID } from 'node:crypto';
import { generateSecret, generateURI, verifySync } from 'otplib';
import { Failure } from '#core/contracts/failures';
import { minuteMs } from '#core/time/time';
import type { EntityManager } from '#platform/database/database';
import type { SecretBox } from '#platform/secret-box';
import { lockUser, refuseUnproven, type User } from '../accounts/account.repository.ts';
import { recordChange, type Undo } from '../accounts/account-change.repository.ts';
import { hashSecret } from '../accounts/passwords.ts';
import { writeAudit } from '../audit/audit.repository.ts';
import { addEmail } from '../emails/email.repository.ts';
import type { EmailData } from '../emails/email-kinds.ts';
import {
  PendingSignIn,
  RecoveryCode,
  SecondFactor,
  WebauthnChallenge,
  WebauthnCredential,
} from './second-factor.entity.ts';
import { endOtherSessions, noteFactor } from './session.repository.ts';

export type { PendingSignIn } from './second-factor.entity.ts';

/** Issuer shown by the authenticator app. */
const issuer = 'Chasqui';
/** Tolerated clock drift (s): one code earlier or later. */
const epochTolerance = 30;
/** A setup must be completed within this time (ms). */
const setupMs = 15 * minuteMs;
const recoveryCodeCount = 10;
/** Random bytes of a recovery code: 28 letters and digits. With 136 bits a fast hash is enough (ASVS 5, 6.5.2 and 11.5.1). */
const recoveryCodeBytes = 17;
/** How long (ms) a sign-in waits for the second step. */
export const pendingSignInMs = 5 * minuteMs;

/** The owner of a second factor, and the key for its secret. */
interface Owner {
  readonly userId: string;
  readonly box: SecretBox;
  readonly at: Date;
}

/**
 * An account's second factors: since when it has an app (null: none), its passkeys, oldest first, and the number of
 * recovery codes left.
 */
export async function readSecondFactor(
  em: EntityManager,
  userId: string,
): Promise<{ since: Date | null; passkeys: WebauthnCredential[]; recoveryCodesLeft: number }> {
  const app = await findConfirmed(em, userId);
  const passkeys = await em.find(WebauthnCredential, { userId }, { orderBy: { createdAt: 'asc', id: 'asc' } });
  const recoveryCodesLeft = await em.count(RecoveryCode, { userId, usedAt: null });
  return { since: app?.confirmedAt ?? null, passkeys, recoveryCodesLeft };
}

/** Since when an account has any second factor; null without one. */
export async function secondFactorSince(em: EntityManager, userId: string): Promise<Date | null> {
  const { since, passkeys } = await readSecondFactor(em, userId);
  const times = [since, passkeys[0]?.createdAt].filter((time) => time != null);
  return times.sort((one, other) => one.getTime() - other.getTime())[0] ?? null;
}

/** An account's kinds of second factor; null without any. */
export async function secondFactorKinds(
  em: EntityManager,
  userId: string,
): Promise<{ app: boolean; passkey: boolean } | null> {
  const app = (await findConfirmed(em, userId)) !== null;
  const passkey = (await em.count(WebauthnCredential, { userId })) > 0;
  return app || passkey ? { app, passkey } : null;
}

/** The failure that requests a fresh proof of identity: by second factor, or by password for accounts without one. */
export async function staleProof(em: EntityManager, userId: string): Promise<Failure> {
  const kinds = await secondFactorKinds(em, userId);
  return new Failure('second_factor_stale', kinds ?? { app: false, passkey: false });
}

function findConfirmed(em: EntityManager, userId: string): Promise<SecondFactor | null> {
  return em.findOne(SecondFactor, { userId, confirmedAt: { $ne: null } });
}

/**
 * Starts setting up an authenticator app, in the transaction of `em`: returns the secret and the otpauth: URL. It takes
 * effect once `confirmSecondFactor` has accepted a code.
 * @throws Failure `email_unproven`, `second_factor_changed` when there already is one.
 */
export async function startSecondFactor(
  em: EntityManager,
  { box, user, at }: { box: SecretBox; user: Pick<User, 'id' | 'email'>; at: Date },
): Promise<{ secret: string; uri: string }> {
  refuseUnproven(await lockUser(em, user.id));
  if (await findConfirmed(em, user.id)) throw new Failure('second_factor_changed');
  const secret = generateSecret();
  const fresh = {
    userId: user.id,
    secret: box.encrypt(secret, user.id),
    startedAt: at,
    confirmedAt: null,
    lastStep: 0,
  };
  await em.upsert(SecondFactor, fresh);
  return { secret, uri: generateURI({ issuer, label: user.email, secret }) };
}

/**
 * Turns on the app that is being set up, in the transaction of `em`.
 * @returns as `enableSecondFactor` does.
 * @throws Failure `second_factor_changed` without a setup, `second_factor_wrong`.
 */
export async function confirmSecondFactor(
  em: EntityManager,
  input: Owner & { code: string; sessionId: string },
): Promise<FirstFactor> {
  const { userId, box, code, sessionId, at } = input;
  const user = await lockUser(em, userId);
  const started = { userId, confirmedAt: null, startedAt: { $gt: new Date(at.getTime() - setupMs) } };
  const factor = await em.findOne(SecondFactor, started);
  if (!factor) throw new Failure('second_factor_changed');
  const step = stepOf(box.decrypt(factor.secret, userId), code, at);
  if (step === null) throw new Failure('second_factor_wrong');
  const isFirst = (await secondFactorKinds(em, userId)) === null;
  const undo = await recordChange(em, { user, kind: 'factor', at });
  factor.confirmedAt = at;
  factor.lastStep = step;
  await em.flush();
  const begun = await enableSecondFactor(em, { userId, sessionId, isFirst, at });
  await recordSecondFactorChange(em, { userId, change: isFirst ? 'added' : 'app_added', undo, at });
  return begun;
}

/** Recovery codes, of which only hashes are stored, and the sessions that ended. */
export interface FirstFactor {
  readonly recoveryCodes: string[] | null;
  readonly ended: string[];
}

/**
 * Called after a second factor was added, in the transaction of `em`: marks the session as having proven it. The first
 * one also creates recovery codes and ends every session that has not proven it.
 */
export async function enableSecondFactor(
  em: EntityManager,
  input: { userId: string; sessionId: string; isFirst: boolean; at: Date },
): Promise<FirstFactor> {
  const { userId, sessionId, isFirst, at } = input;
  await noteFactor(em, sessionId, at);
  if (!isFirst) return { recoveryCodes: null, ended: [] };
  const recoveryCodes = await createRecoveryCodes(em, userId);
  return { recoveryCodes, ended: await endOtherSessions(em, { userId, exceptId: sessionId, at }) };
}

/**
 * Checks and consumes a code of the authenticator or a recovery code, in the transaction of `em`: none is accepted
 * twice, not even by two concurrent requests.
 * @throws Failure `second_factor_changed` without a second factor, `second_factor_wrong`.
 */
export async function proveSecondFactor(em: EntityManager, input: Owner & { code: string }): Promise<void> {
  const { userId, box, code, at } = input;
  if (!(await secondFactorKinds(em, userId))) throw new Failure('second_factor_changed');
  if (!isRecoveryCode(code)) {
    const factor = await findConfirmed(em, userId);
    if (!factor) throw new Failure('second_factor_wrong');
    const secret = box.decrypt(factor.secret, userId);
    const lastStep = stepOf(secret, code, at);
    if (lastStep === null) throw new Failure('second_factor_wrong');
    const renewed = box.isOutdated(factor.secret) ? { secret: box.encrypt(secret, userId) } : {};
    const where = { userId, lastStep: { $lt: lastStep } };
    if ((await em.nativeUpdate(SecondFactor, where, { lastStep, ...renewed })) === 0)
      throw new Failure('second_factor_wrong');
    return;
  }
  const where = { userId, codeHash: hashSecret(code), usedAt: null };
  if ((await em.nativeUpdate(RecoveryCode, where, { usedAt: at })) === 0) throw new Failure('second_factor_wrong');
  await recordSecondFactorChange(em, { userId, change: 'recovery_code_used', at });
}

/**
 * Replaces all recovery codes, in the transaction of `em`, and returns the new ones.
 * @throws Failure `second_factor_changed` without a second factor.
 */
export async function renewRecoveryCodes(
  em: EntityManager,
  { userId, at }: { userId: string; at: Date },
): Promise<string[]> {
  const user = await lockUser(em, userId);
  if (!(await secondFactorKinds(em, userId))) throw new Failure('second_factor_changed');
  const undo = await recordChange(em, { user, kind: 'factor', at });
  const codes = await createRecoveryCodes(em, userId);
  await recordSecondFactorChange(em, { userId, change: 'codes_renewed', undo, at });
  return codes;
}

/** Removes the app, in the transaction of `em`. @throws Failure `second_factor_changed` without one. */
export async function removeSecondFactor(
  em: EntityManager,
  { userId, at }: { userId: string; at: Date },
): Promise<void> {
  const user = await lockUser(em, userId);
  if (!(await findConfirmed(em, userId))) throw new Failure('second_factor_changed');
  const undo = await recordChange(em, { user, kind: 'factor', at });
  await em.nativeDelete(SecondFactor, { userId });
  const isLast = await endSecondFactorIfLast(em, userId);
  await recordSecondFactorChange(em, { userId, change: isLast ? 'removed' : 'app_removed', undo, at });
}

/** Removes every second factor of an account; the caller notifies the user. */
export async function dropSecondFactor(em: EntityManager, userId: string): Promise<void> {
  await em.nativeDelete(SecondFactor, { userId });
  await em.nativeDelete(WebauthnCredential, { userId });
  await endSecondFactorIfLast(em, userId);
}

/**
 * Called after a second factor was removed: when none is left, deletes the recovery codes and clears the proof of every
 * session.
 * @returns whether it was the last one.
 */
export async function endSecondFactorIfLast(em: EntityManager, userId: string): Promise<boolean> {
  if (await secondFactorKinds(em, userId)) return false;
  await em.nativeDelete(RecoveryCode, { userId });
  await em.execute('update session set factor_at = null where user_id = ?', [userId]);
  return true;
}

/** Records a sign-in with a correct password, in the transaction of `em`; only a hash of the secret is stored. */
export async function insertPendingSignIn(
  em: EntityManager,
  { secret, userId, remember, at }: { secret: string; userId: string; remember: boolean; at: Date },
): Promise<void> {
  const expiresAt = new Date(at.getTime() + pendingSignInMs);
  em.persist(em.create(PendingSignIn, { tokenHash: hashSecret(secret), userId, remember, expiresAt }));
  await em.flush();
}

/** The pending sign-in of a secret; null once it has ended. */
export function findPendingSignIn(em: EntityManager, secret: string, at: Date): Promise<PendingSignIn | null> {
  return em.findOne(PendingSignIn, { tokenHash: hashSecret(secret), expiresAt: { $gt: at } });
}

/** Consumes a pending sign-in, in the transaction of `em`; it opens one session. @returns whether it still existed. */
export async function takePendingSignIn(em: EntityManager, { tokenHash }: PendingSignIn): Promise<boolean> {
  return (await em.nativeDelete(PendingSignIn, { tokenHash })) > 0;
}

/** Deletes sign-ins that were not completed before a moment, and unsigned challenges. */
export async function deletePendingSignIns(em: EntityManager, before: Date): Promise<void> {
  // Also for users on legal hold: hashes that were valid for minutes carry no information.
  await em.nativeDelete(PendingSignIn, { expiresAt: { $lt: before } });
  await em.nativeDelete(WebauthnChallenge, { expiresAt: { $lt: before } });
}

/** The time step of an authenticator code; null for a wrong code. */
function stepOf(secret: string, code: string, at: Date): number | null {
  if (isRecoveryCode(code)) return null;
  const epoch = Math.floor(at.getTime() / 1000);
  const result = verifySync({ secret, token: code, epoch, epochTolerance });
  return result.valid && 'timeStep' in result ? result.timeStep : null;
}

function isRecoveryCode(code: string): boolean {
  return code.length !== 6;
}

async function createRecoveryCodes(em: EntityManager, userId: string): Promise<string[]> {
  await em.nativeDelete(RecoveryCode, { userId });
  const codes = Array.from({ length: recoveryCodeCount }, () => generateSecret({ length: recoveryCodeBytes }));
  await em.insertMany(
    RecoveryCode,
    codes.map((code) => ({ userId, codeHash: hashSecret(code), usedAt: null })),
  );
  return codes.map((code) => code.replace(/(.{4})(?=.)/g, '$1-'));
}

/** Records a change of a second factor and queues the e-mail about it, in the transaction of `em`. */
export async function recordSecondFactorChange(
  em: EntityManager,
  input: {
    userId: string;
    change: EmailData<'second_factor_changed'>['change'];
    passkey?: string;
    /** Absent when there is nothing to undo. */
    undo?: Undo;
    at: Date;
  },
): Promise<void> {
  const { userId, change, passkey, undo, at } = input;
  await writeAudit(em, 'second_factor_changed', { subject: userId, detail: { change } });
  const { recoveryCodesLeft } = await readSecondFactor(em, userId);
  const { data: undone = { changeId: null, undoUntil: null }, ...to } = undo ?? {};
  const data = {
    ...undone,
    change,
    at: at.toISOString(),
    recoveryCodesLeft,
    ...(passkey !== undefined && { passkey }),
  };
  await addEmail(em, { kind: 'second_factor_changed', key: `second_factor-${randomUUID()}`, data, at, userId, ...to });
}
