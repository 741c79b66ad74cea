import { argon2, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { LockMode, UniqueConstraintViolationException } from '@mikro-orm/core';
import { Failure } from '#core/contracts/failures';
import type { EntityManager } from '#platform/database/database';
import { PasswordRecovery, Session, User } from './account.entity.ts';

export type { User } from './account.entity.ts';

const argon2Async = promisify(argon2);

/** OWASP's recommended minimum for argon2id (Password Storage Cheat Sheet): 19 MiB, 2 passes, 1 lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;

/** Hashes a password into a PHC string. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await argon2Async('argon2id', { message: password, nonce, ...cost });
  const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${encode(nonce)}$${encode(tag)}`;
}

/** Whether a password belongs to a PHC string. With null it does the same work and says no, so that time tells nothing. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash ?? '');
  const [memory, passes, parallelism] = match
    ? [Number(match[1]), Number(match[2]), Number(match[3])]
    : [cost.memory, cost.passes, cost.parallelism];
  const nonce = match ? Buffer.from(match[4] as string, 'base64') : randomBytes(16);
  const expected = match ? Buffer.from(match[5] as string, 'base64') : randomBytes(cost.tagLength);
  const parameters = { message: password, nonce, memory, passes, parallelism, tagLength: expected.length };
  const tag = await argon2Async('argon2id', parameters);
  return timingSafeEqual(tag, expected) && match !== null;
}

/** Accounts by their ids; unknown ids are left out. */
export function findUsersById(em: EntityManager, ids: readonly string[]): Promise<User[]> {
  return em.find(User, { id: { $in: [...ids] } });
}

/** Locks an account's row until the transaction of `em` ends. @throws when there is none. */
export function lockUser(em: EntityManager, id: string): Promise<User> {
  return em.findOneOrFail(User, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** Creates an account in the transaction of `em`. @throws Failure `email_taken`. */
export async function createUser(
  em: EntityManager,
  input: {
    email: string;
    name: string;
    passwordHash: string;
    role?: 'user' | 'admin';
    phone?: string;
    city?: string;
    occupation?: string;
    birthDate?: string;
    termsAcceptedAt: Date | null;
    at: Date;
  },
): Promise<User> {
  const { at, role = 'user', ...given } = input;
  const user = em.create(User, { id: randomUUID(), role, ...given, createdAt: at });
  try {
    await em.persist(user).flush();
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) throw new Failure('email_taken');
    throw error;
  }
  return user;
}

/**
 * Makes sure that the operator's admin account exists. An account somebody else opened with this address is taken over whole:
 * it gets the operator's name and password and its sessions end, because addresses are not verified at sign-up.
 */
export async function ensureAdmin(
  em: EntityManager,
  input: { email: string; name: string; password: string; at: Date },
): Promise<User> {
  const email = input.email.trim().toLowerCase();
  const existing = await em.findOne(User, { email });
  if (existing?.role === 'admin') return existing;
  const passwordHash = await hashPassword(input.password);
  if (!existing) {
    return createUser(em, {
      email,
      name: input.name,
      passwordHash,
      role: 'admin',
      termsAcceptedAt: null,
      at: input.at,
    });
  }
  existing.role = 'admin';
  existing.name = input.name;
  existing.passwordHash = passwordHash;
  await em.flush();
  await em.nativeUpdate(Session, { userId: existing.id, endedAt: null }, { endedAt: input.at });
  return existing;
}

/** In place of a hash: no password belongs to it. */
const noPassword = 'locked';

/**
 * Locks accounts whose password strangers may know: no rights, no password that works, no sessions, no open password reset.
 * Returns the addresses it locked; accounts that are locked already, or do not exist, are not among them.
 */
export async function lockAccounts(em: EntityManager, emails: readonly string[], at: Date): Promise<string[]> {
  const found = await em.find(User, { email: { $in: [...emails] }, passwordHash: { $ne: noPassword } });
  const userId = { $in: found.map(({ id }) => id) };
  for (const user of found) {
    user.role = 'user';
    user.passwordHash = noPassword;
  }
  await em.flush();
  await em.nativeUpdate(Session, { userId, endedAt: null }, { endedAt: at });
  await em.nativeUpdate(PasswordRecovery, { userId, endedAt: null }, { endedAt: at, ending: 'replaced' });
  return found.map(({ email }) => email);
}
