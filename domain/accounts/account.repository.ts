import { randomUUID } from 'node:crypto';
import { LockMode, UniqueConstraintViolationException } from '@mikro-orm/core';
import type { AdminRole } from '#core/accounts/admin-roles';
import { isMasked, isPermitted, type Permission, permissions, secondPersonDelayMs } from '#core/accounts/roles';
import { Failure } from '#core/contracts/failures';
import type { Locale } from '#core/locale/locale';
import type { SendCurrency } from '#core/money/money';
import { isOptional, type OptionalEmail } from '#core/notifications/email-preferences';
import { minuteMs } from '#core/time/time';
import { type EntityManager, runSql } from '#platform/database/database';
import { hidePhone } from '../personal-data/personal-data.ts';
import { User } from './account.entity.ts';
import { AccountChange } from './account-change.entity.ts';

export type { User } from './account.entity.ts';

/** Last activity is stored to the minute: one write per minute, not per request. */
const activityMs = minuteMs;

/** The account with an id, or null. */
export function findUser(em: EntityManager, id: string): Promise<User | null> {
  return em.findOne(User, { id });
}

/** The current state of an account. @throws NotFoundError when it does not exist. */
export function rereadUser(em: EntityManager, id: string): Promise<User> {
  return em.findOneOrFail(User, { id }, { refresh: true });
}

/** The account of a row of `app_user` that was read by SQL. */
export function toUser(em: EntityManager, row: object): User {
  return em.map(User, row);
}

/** The account with an e-mail address in lower case, or null. */
export function findUserByEmail(em: EntityManager, email: string): Promise<User | null> {
  return em.findOne(User, { email });
}

/** A user's role in the admin panel; null for senders. */
export function adminRoleOf({ role, adminRole }: Pick<User, 'role' | 'adminRole'>): AdminRole | null {
  return role === 'admin' ? (adminRole ?? null) : null;
}

/** Whether the admin panel masks personal data for this user. */
export function seesMasked(person: Pick<User, 'role' | 'adminRole'>): boolean {
  const role = adminRoleOf(person);
  return role === null || isMasked(role);
}

/**
 * Whether a user has a permission in the admin panel: the account is neither blocked nor closed, and its role grants
 * it.
 */
export function isPermittedNow(
  person: Pick<User, 'role' | 'adminRole' | 'blockedAt' | 'closedAt'> | null | undefined,
  permission: Permission,
): boolean {
  return !!person && !person.blockedAt && !person.closedAt && isPermitted(adminRoleOf(person), permission);
}

/** `isPermittedNow` for the user as currently stored. */
export async function isStillPermitted(em: EntityManager, id: string, permission: Permission): Promise<boolean> {
  return isPermittedNow(await em.findOne(User, { id }, { refresh: true }), permission);
}

/** From when a user can act as second person; null: now, or never without a role. */
export function secondPersonFrom({ adminRoleSince }: Pick<User, 'adminRoleSince'>, at: Date): Date | null {
  if (!adminRoleSince) return null;
  const from = new Date(adminRoleSince.getTime() + secondPersonDelayMs);
  return from > at ? from : null;
}

/**
 * Requires that the second person is not the author and has had the role for a day, so that no owner can appoint an
 * approver for the occasion.
 * @throws Failure `own_request`, `role_too_new`.
 */
export async function requireSecondPerson(
  em: EntityManager,
  { personId, requestedById, at }: { personId: string; requestedById: string | null | undefined; at: Date },
): Promise<void> {
  if (personId === requestedById) throw new Failure('own_request');
  const person = await findUser(em, personId);
  const from = person && secondPersonFrom(person, at);
  if (from) throw new Failure('role_too_new', { from: from.toISOString() });
}

/** Whether a user is kept from signing in: the account is blocked or closed. */
export async function isBarred(em: EntityManager, id: string): Promise<boolean> {
  const user = await em.findOne(User, { id }, { refresh: true });
  return user?.blockedAt != null || user?.closedAt != null;
}

/** Accounts by their ids; unknown ids are left out. */
export function findUsersById(em: EntityManager, ids: readonly string[]): Promise<User[]> {
  return em.find(User, { id: { $in: [...ids] } });
}

/** Whether there is an owner, apart from these people, whose account is open. */
export async function hasOtherOwner(em: EntityManager, exceptIds: readonly string[]): Promise<boolean> {
  const others = { adminRole: 'owner', id: { $nin: [...exceptIds] }, closedAt: null, blockedAt: null } as const;
  return (await em.count(User, others)) > 0;
}

/** Every admin who receives admin notifications, oldest account first. */
export function findAdmins(em: EntityManager): Promise<User[]> {
  return em.find(
    User,
    { role: 'admin', adminRole: { $in: [...permissions.adminNews] } },
    { orderBy: { createdAt: 'asc' } },
  );
}

/**
 * Locks an account's row until the transaction of `em` ends, so that concurrent requests of one user that count
 * something run one after the other.
 * @throws NotFoundError for an unknown id, Failure `unauthenticated` when the account has been closed.
 */
export async function lockUser(em: EntityManager, id: string): Promise<User> {
  // Not `for update`: foreign keys to the account are checked at commit and would deadlock.
  await em.execute('select from app_user where id = ? for no key update', [id]);
  const user = await em.findOneOrFail(User, { id }, { refresh: true });
  if (user.closedAt) throw new Failure('unauthenticated');
  return user;
}

/** `lockUser` for a user about to pay. @throws also Failure `account_blocked`, `email_unproven`. */
export async function lockPayer(em: EntityManager, id: string): Promise<User> {
  const user = await lockUser(em, id);
  if (user.blockedAt) throw new Failure('account_blocked');
  refuseUnproven(user);
  return user;
}

/**
 * An unproven address may belong to a stranger. It cannot pay, because receipts and questions are sent to it, and
 * cannot add a second factor, which would lock the real owner out.
 * @throws Failure `email_unproven`.
 */
export function refuseUnproven({ emailVerifiedAt }: Pick<User, 'emailVerifiedAt'>): void {
  if (!emailVerifiedAt) throw new Failure('email_unproven');
}

/** Locks several accounts, in id order, as `lockUser` locks one. */
export async function lockUsers(em: EntityManager, ids: readonly string[]): Promise<void> {
  await runSql(em, lockAccounts, [ids]);
}

const lockAccounts = 'select from app_user where id = any($1::uuid[]) order by id for no key update';

/** `lockUser` by e-mail address; null if not found. */
export function lockUserByEmail(em: EntityManager, email: string): Promise<User | null> {
  return em.findOne(User, { email }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/**
 * The account if its password is still the verified one: it may have changed, and every session ended, while the hash
 * was computed. Locked against such a change until the transaction of `em` ends.
 */
export function lockUnchangedUser(
  em: EntityManager,
  verified: Pick<User, 'id' | 'passwordHash'>,
): Promise<User | null> {
  const { id, passwordHash } = verified;
  return em.findOne(User, { id, passwordHash }, { lockMode: LockMode.PESSIMISTIC_READ });
}

/** Records when a user was last active, at most once a minute. */
export async function noteActivity(em: EntityManager, user: User, at: Date): Promise<void> {
  const stale = new Date(at.getTime() - activityMs);
  if (user.lastActiveAt && user.lastActiveAt > stale) return;
  await em.nativeUpdate(
    User,
    { id: user.id, $or: [{ lastActiveAt: null }, { lastActiveAt: { $lt: stale } }] },
    { lastActiveAt: at },
  );
}

/** Creates an account in the transaction of `em`. @throws Failure `email_taken`. */
export async function createUser(
  em: EntityManager,
  input: {
    email: string;
    name: string;
    passwordHash: string;
    role?: 'user' | 'admin';
    /** Defaults to owner for an admin. */
    adminRole?: AdminRole;
    /** Defaults to Spanish. */
    locale?: Locale;
    phone?: string;
    city?: string;
    occupation?: string;
    birthDate?: string;
    /** Absent: the address still has to be proven. */
    emailVerifiedAt?: Date;
    termsAcceptedAt: Date | null;
    at: Date;
  },
): Promise<User> {
  const { at, role = 'user', locale = 'es', phone, ...given } = input;
  if (await isHeldForOwner(em, given.email, null, at)) throw new Failure('email_taken');
  const adminRole = role === 'admin' ? (input.adminRole ?? 'owner') : null;
  const id = randomUUID();
  const user = em.create(User, { id, role, locale, ...given, ...hidePhone(em, id, phone), adminRole, createdAt: at });
  try {
    await em.persist(user).flush();
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) throw new Failure('email_taken');
    throw error;
  }
  return user;
}

/** Whether another account has an address, or may still take it back. */
export async function isAddressTaken(em: EntityManager, email: string, userId: string, at: Date): Promise<boolean> {
  const other = await findUserByEmail(em, email);
  return (other !== null && other.id !== userId) || isHeldForOwner(em, email, userId, at);
}

/** Sets an address proven by a link on a locked account, in the transaction of `em`. @throws Failure `email_taken`. */
export async function changeAddress(
  em: EntityManager,
  user: User,
  { email, at }: { email: string; at: Date },
): Promise<void> {
  if (await isAddressTaken(em, email, user.id, at)) throw new Failure('email_taken');
  user.email = email;
  user.emailVerifiedAt = at;
  try {
    await em.flush();
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) throw new Failure('email_taken');
    throw error;
  }
}

/** Whether another account recently had this address and can still undo the change (account-change.repository.ts). */
async function isHeldForOwner(em: EntityManager, email: string, userId: string | null, at: Date): Promise<boolean> {
  const undoable = { kind: 'email', email, undoUntil: { $gt: at }, endedAt: null } as const;
  return (await em.count(AccountChange, { ...undoable, ...(userId && { userId: { $ne: userId } }) })) > 0;
}

/** Sets a user's language. */
export async function setLocale(em: EntityManager, id: string, locale: Locale): Promise<void> {
  await em.nativeUpdate(User, { id }, { locale });
}

/** Sets a user's preferred payment currency; null: the one used last. */
export async function setPreferredCurrency(
  em: EntityManager,
  id: string,
  currency: SendCurrency | null,
): Promise<void> {
  await em.nativeUpdate(User, { id }, { preferredCurrency: currency });
}

/** Optional e-mails that a user has turned off. */
export async function findMutedEmails(em: EntityManager, id: string): Promise<OptionalEmail[]> {
  return (await findUser(em, id))?.mutedEmails.filter(isOptional) ?? [];
}

/** Sets which optional e-mails are turned off, starting with the next one written. */
export async function setMutedEmails(em: EntityManager, id: string, mutedEmails: OptionalEmail[]): Promise<void> {
  await em.nativeUpdate(User, { id }, { mutedEmails });
}

/** Placeholder for a hash that no password matches. */
export const noPassword = 'locked';

/** The accounts of these addresses that have a password. */
export function findUnlockedUsers(em: EntityManager, emails: readonly string[]): Promise<User[]> {
  return em.find(User, { email: { $in: [...emails] }, passwordHash: { $ne: noPassword } });
}
