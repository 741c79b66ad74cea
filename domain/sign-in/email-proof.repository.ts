import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { Failure } from '#core/contracts/failures';
import { dayMs } from '#core/time/time';
import type { EntityManager } from '#platform/database/database';
import { findUser, lockUser, type User } from '../accounts/account.repository.ts';
import { notOnLegalHold } from '../accounts/legal-hold.repository.ts';
import { hashSecret } from '../accounts/passwords.ts';
import { writeAudit } from '../audit/audit.repository.ts';
import { addEmail } from '../emails/email.repository.ts';
import { EmailProof } from './email-proof.entity.ts';

/** Validity of an e-mail's link and code, in ms: someone who signs up in the evening may pay the next day. */
const proofMs = dayMs;

/** Queues the e-mail that proves the account's address, in the transaction of `em`, unless it is already proven. */
export async function requestEmailProof(em: EntityManager, user: User, at: Date): Promise<void> {
  if (user.emailVerifiedAt) return;
  await addEmail(em, {
    kind: 'email_proof',
    key: `email_proof-${randomUUID()}`,
    data: { code: '' },
    at,
    userId: user.id,
  });
}

/**
 * Creates the link and code of such an e-mail when it is sent, as `createResetLink` does; those of earlier e-mails stay
 * valid.
 * @returns null when the address is already proven.
 */
export async function createEmailProof(
  em: EntityManager,
  { userId, at }: { userId: string; at: Date },
): Promise<{ token: string; code: string } | null> {
  const user = await findUser(em, userId);
  if (!user || user.emailVerifiedAt || user.closedAt || user.blockedAt) return null;
  const token = randomBytes(32).toString('base64url');
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const hashes = { tokenHash: hashSecret(token), codeHash: hashOfCode(userId, code) };
  const expiresAt = new Date(at.getTime() + proofMs);
  em.persist(em.create(EmailProof, { ...hashes, userId, email: user.email, createdAt: at, expiresAt }));
  return { token, code };
}

/**
 * Checks the code a signed-in user typed, in the transaction of `em`. If the address is already proven, any code
 * passes.
 * @throws Failure `email_code_wrong`.
 */
export async function proveEmailByCode(
  em: EntityManager,
  { userId, code, at }: { userId: string; code: string; at: Date },
): Promise<User> {
  const user = await lockUser(em, userId);
  if (user.emailVerifiedAt) return user;
  const sent = { userId, email: user.email, codeHash: hashOfCode(userId, code), expiresAt: { $gt: at } };
  if ((await em.count(EmailProof, sent)) === 0) throw new Failure('email_code_wrong');
  return markProven(em, user, at);
}

/** The address that a link proves, also after it was used; null for an unknown or expired link. */
export async function readEmailProof(
  em: EntityManager,
  token: string,
  at: Date,
): Promise<{ userId: string; email: string } | null> {
  const proof = await em.findOne(EmailProof, { tokenHash: hashSecret(token), expiresAt: { $gt: at } });
  const user = proof && (await findUser(em, proof.userId));
  const isOpen = user && user.email === proof.email && !user.closedAt && !user.blockedAt;
  return isOpen ? { userId: user.id, email: user.email } : null;
}

/**
 * Uses such a link, in the transaction of `em`; idempotent. It needs no session, because it may be opened on another
 * device.
 * @throws Failure `email_link_dead`.
 */
export async function proveEmailByLink(em: EntityManager, token: string, at: Date): Promise<void> {
  const known = await readEmailProof(em, token, at);
  if (!known) throw new Failure('email_link_dead');
  const user = await lockUser(em, known.userId);
  if (user.email !== known.email) throw new Failure('email_link_dead');
  if (!user.emailVerifiedAt) await markProven(em, user, at);
}

async function markProven(em: EntityManager, user: User, at: Date): Promise<User> {
  user.emailVerifiedAt = at;
  await em.flush();
  await writeAudit(em, 'email_proven', { subject: user.id });
  return user;
}

/** Deletes what expired before a moment. */
export async function deleteEmailProofs(em: EntityManager, before: Date): Promise<void> {
  await em.nativeDelete(EmailProof, { expiresAt: { $lt: before }, ...notOnLegalHold() });
}

/**
 * Anyone who reads the table can brute-force these million codes; a code is worthless there and expires within a day.
 */
const hashOfCode = (userId: string, code: string) => hashSecret(`${userId} ${code}`);
