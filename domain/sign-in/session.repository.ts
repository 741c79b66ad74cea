import { randomUUID } from 'node:crypto';
import type { Device } from '#core/accounts/device';
import { Failure } from '#core/contracts/failures';
import { minuteMs, secondMs } from '#core/time/time';
import { type EntityManager, runSql } from '#platform/database/database';
import { type Page, type PageQuery, pageOptions, toPage } from '#platform/database/pages';
import { toUser, type User } from '../accounts/account.repository.ts';
import { notOnLegalHold } from '../accounts/legal-hold.repository.ts';
import { hashSecret } from '../accounts/passwords.ts';
import { PendingSignIn } from './second-factor.entity.ts';
import { Session } from './session.entity.ts';

export type { Session } from './session.entity.ts';

/** Opens a session in the transaction of `em`. Only a hash of the secret is stored, so a stolen table opens none. */
export function openSession(
  em: EntityManager,
  {
    device,
    userId,
    secret,
    at,
    expiresAt,
    factorAt,
  }: { device: Device; userId: string; secret: string; at: Date; expiresAt: Date; factorAt: Date | null },
): Session {
  const session = em.create(Session, {
    id: randomUUID(),
    userId,
    tokenHash: hashSecret(secret),
    ...device,
    createdAt: at,
    lastSeenAt: at,
    expiresAt,
    factorAt,
  });
  em.persist(session);
  return session;
}

/**
 * How long (ms) a replaced secret stays valid once the new one was used, for calls of other tabs already on their way.
 */
const replacedMs = 30 * secondMs;

/**
 * The session of a secret, with its user, unless it was ended; it may have expired. Null if not found. A replaced
 * secret is accepted until shortly after the browser used the new one, with the proofs it had before.
 */
export async function findSession(
  em: EntityManager,
  secret: string,
  at: Date,
): Promise<{ session: OpenSession; user: User } | null> {
  const hash = hashSecret(secret);
  const [current] = await runSql<OpenRow>(em, openBy.secret, [hash]);
  if (!current) {
    const [replaced] = await runSql<OpenRow>(em, openBy.replacedSecret, [hash, at]);
    return replaced ? toOpenSession(em, replaced) : null;
  }
  if (current.arrives) {
    const where = { id: current.session_id, tokenHash: hash, replacedUntil: null };
    await em.nativeUpdate(Session, where, { replacedUntil: new Date(at.getTime() + replacedMs) });
  }
  return toOpenSession(em, current);
}

/** A session by its id, as `findSession` returns it, unless it was ended. */
export async function findSessionById(
  em: EntityManager,
  id: string,
): Promise<{ session: OpenSession; user: User } | null> {
  const [found] = await runSql<OpenRow>(em, openBy.id, [id]);
  return found ? toOpenSession(em, found) : null;
}

/** What every request reads of its session. */
interface OpenSession extends Pick<Session, 'id' | 'createdAt' | 'expiresAt' | 'lastSeenAt'> {
  readonly factorAt: Date | null;
  readonly passwordAt: Date | null;
}

interface OpenRow {
  session_id: string;
  created: number;
  ends: number;
  seen: number;
  proven: number | null;
  typed: number | null;
  /** Whether a rotated secret is being used for the first time. */
  arrives: boolean;
}

function toOpenSession(em: EntityManager, found: OpenRow): { session: OpenSession; user: User } {
  const { session_id: id, created, ends, seen, proven, typed, arrives: _, ...row } = found;
  const [createdAt, expiresAt, lastSeenAt] = [new Date(created), new Date(ends), new Date(seen)];
  const factorAt = proven === null ? null : new Date(proven);
  const passwordAt = typed === null ? null : new Date(typed);
  return { session: { id, createdAt, expiresAt, lastSeenAt, factorAt, passwordAt }, user: toUser(em, row) };
}

function openSessionSql(where: string, { factorAt, passwordAt }: { factorAt: string; passwordAt: string }): string {
  return `
    select s.id as session_id, (extract(epoch from s.created_at) * 1000)::float8 as created,
      (extract(epoch from s.expires_at) * 1000)::float8 as ends,
      (extract(epoch from s.last_seen_at) * 1000)::float8 as seen,
      (extract(epoch from ${factorAt}) * 1000)::float8 as proven,
      (extract(epoch from ${passwordAt}) * 1000)::float8 as typed,
      s.replaced_hash is not null and s.replaced_until is null as arrives,
      u.*
    from session as s join app_user as u on u.id = s.user_id
    where ${where} and s.ended_at is null`;
}

const now = { factorAt: 's.factor_at', passwordAt: 's.password_at' };
const before = { factorAt: 's.replaced_factor_at', passwordAt: 'null::timestamptz' };

const openBy = {
  secret: openSessionSql('s.token_hash = $1', now),
  replacedSecret: openSessionSql(
    's.replaced_hash = $1 and (s.replaced_until is null or s.replaced_until > $2)',
    before,
  ),
  id: openSessionSql('s.id = $1', now),
};

/**
 * Rotates the secret of a session, in the transaction of `em`, before a new proof is recorded. Returns when the session
 * expires; null when a concurrent request rotated it first, and that secret is the valid one.
 */
export async function replaceSecret(
  em: EntityManager,
  { id, presented, secret, at }: { id: string; presented: string; secret: string; at: Date },
): Promise<{ createdAt: Date; expiresAt: Date } | null> {
  const [hash, newHash] = [hashSecret(presented), hashSecret(secret)];
  const longAgo = new Date(at.getTime() - replacedMs);
  const rows = await em.execute<{ created_at: string; expires_at: string }[]>(
    `update session set token_hash = ?, replaced_hash = ?, replaced_until = null,
       replaced_factor_at = case when token_hash = ? then factor_at else replaced_factor_at end
     where id = ? and ended_at is null and (token_hash = ?
       -- A browser that never got the new secret comes with the one before; of two tabs at the same moment one is enough.
       or (replaced_hash = ? and replaced_until is null and greatest(factor_at, password_at) < ?))
     returning created_at, expires_at`,
    [newHash, hash, hash, id, hash, hash, longAgo],
  );
  const [found] = rows;
  return found ? { createdAt: new Date(found.created_at), expiresAt: new Date(found.expires_at) } : null;
}

/** The last use of a session is stored to the minute: one write per minute, not per request. */
const useMs = minuteMs;

/** Records when a session was last used, at most once a minute. */
export async function noteUse(
  em: EntityManager,
  { id, lastSeenAt }: Pick<Session, 'id' | 'lastSeenAt'>,
  at: Date,
): Promise<void> {
  const stale = new Date(at.getTime() - useMs);
  if (lastSeenAt > stale) return;
  await em.nativeUpdate(Session, { id, lastSeenAt: { $lte: stale } }, { lastSeenAt: at });
}

/**
 * A page of a user's other open sessions, used within `idleMs`, newest first.
 * @throws Failure `invalid_input` for a foreign cursor.
 */
export async function findOtherSessions(
  em: EntityManager,
  { userId, exceptId, at, idleMs }: { userId: string; exceptId: string; at: Date; idleMs: number },
  query: PageQuery,
): Promise<Page<Session>> {
  const lastSeenAt = { $gt: new Date(at.getTime() - idleMs) };
  const where = { userId, id: { $ne: exceptId }, endedAt: null, expiresAt: { $gt: at }, lastSeenAt };
  const orderBy = { createdAt: 'desc', id: 'desc' } as const;
  return toPage(await em.findByCursor(Session, { where, orderBy, ...pageOptions(query, 'created') }));
}

/** A user's own session by its id. @throws Failure `not_found`, also for another user's. */
export async function findOwnSession(em: EntityManager, userId: string, id: string): Promise<Session> {
  const session = await em.findOne(Session, { id, userId, endedAt: null });
  if (!session) throw new Failure('not_found');
  return session;
}

/** Records that a second factor was proven in a session. */
export async function noteFactor(em: EntityManager, id: string, at: Date): Promise<void> {
  await em.nativeUpdate(Session, { id }, { factorAt: at });
}

/** Records that the password was confirmed in a session. */
export async function notePassword(em: EntityManager, id: string, at: Date): Promise<void> {
  await em.nativeUpdate(Session, { id }, { passwordAt: at });
}

/** Ends every session of a user except one, and pending sign-ins; returns their ids. */
export async function endOtherSessions(
  em: EntityManager,
  { userId, exceptId, at }: { userId: string; exceptId: string; at: Date },
): Promise<string[]> {
  await em.nativeDelete(PendingSignIn, { userId });
  return end(em, 'user_id = ? and id <> ?', [userId, exceptId], at);
}

/** Ends one session for good. */
export async function endSession(em: EntityManager, id: string, at: Date): Promise<void> {
  await end(em, 'id = ?', [id], at);
}

/** Ends every session of these accounts, and pending sign-ins. */
export async function endSessions(em: EntityManager, userIds: readonly string[], at: Date): Promise<void> {
  await em.nativeDelete(PendingSignIn, { userId: { $in: [...userIds] } });
  await end(em, 'user_id = any (?::uuid[])', [`{${userIds.join(',')}}`], at);
}

/** Ends open sessions and deletes the push subscriptions of their browsers in one statement; returns their ids. */
async function end(em: EntityManager, condition: string, values: readonly unknown[], at: Date): Promise<string[]> {
  const rows = await em.execute<{ id: string }[]>(
    `with ended as (update session set ended_at = ? where ${condition} and ended_at is null returning id),
       silenced as (delete from push_subscription where session_id in (select id from ended))
     select id from ended`,
    [at, ...values],
  );
  return rows.map(({ id }) => id);
}

/** Deletes sessions that expired before a moment. */
export async function deleteSessions(em: EntityManager, before: Date): Promise<void> {
  await em.nativeDelete(Session, { expiresAt: { $lt: before }, ...notOnLegalHold() });
}
