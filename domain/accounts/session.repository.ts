import { randomUUID } from 'node:crypto';
import { UnderscoreNamingStrategy } from '@mikro-orm/core';
import type { Device } from '#core/accounts/device';
import { Failure } from '#core/contracts/failures';
import { minuteMs } from '#core/time/time';
import { type EntityManager, type PreparedStatement, runPrepared } from '#platform/database/database';
import { type Page, type PageQuery, pageOptions, toPage } from '#platform/database/pages';
import { Session, User } from './account.entity.ts';
import { ofNobodyHeld } from './legal-hold.repository.ts';
import { hashSecret } from './passwords.ts';
import { PendingSignIn } from './second-factor.entity.ts';

export type { Session } from './account.entity.ts';

/** Opens a session in the transaction of `em`; only a hash of the secret is stored, so a stolen table opens none. */
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

/** The session of a secret that nobody ended, though its time may be up, and its person; null when there is none. */
export async function findSession(
  em: EntityManager,
  secret: string,
): Promise<{ session: OpenSession; user: User } | null> {
  type Times = { session_id: string; created: number; ends: number; seen: number; proven: number | null };
  const [found] = await runPrepared<Times>(em, findOpen, [hashSecret(secret)]);
  if (!found) return null;
  const { session_id: id, created, ends, seen, proven, ...row } = found;
  const [createdAt, expiresAt, lastSeenAt] = [new Date(created), new Date(ends), new Date(seen)];
  const factorAt = proven === null ? null : new Date(proven);
  return { session: { id, createdAt, expiresAt, lastSeenAt, factorAt }, user: em.map(User, row) };
}

/** What every call reads of its session. */
interface OpenSession extends Pick<Session, 'id' | 'createdAt' | 'expiresAt' | 'lastSeenAt'> {
  readonly factorAt: Date | null;
}

const naming = new UnderscoreNamingStrategy();

/** By one prepared statement: every call of a signed-in person begins with it. */
const findOpen: PreparedStatement = {
  name: 'open-session',
  text: `
    select s.id as session_id, (extract(epoch from s.created_at) * 1000)::float8 as created,
      (extract(epoch from s.expires_at) * 1000)::float8 as ends,
      (extract(epoch from s.last_seen_at) * 1000)::float8 as seen,
      (extract(epoch from s.factor_at) * 1000)::float8 as proven,
      ${Object.keys(User.properties).map((name) => `u.${naming.propertyToColumnName(name)}`)}
    from session as s join app_user as u on u.id = s.user_id
    where s.token_hash = $1 and s.ended_at is null`,
};

/** A session's last use is kept to the minute: one write per minute, not per request. */
const useMs = minuteMs;

/** Keeps when a session was last used, at most once a minute. */
export async function noteUse(
  em: EntityManager,
  { id, lastSeenAt }: Pick<Session, 'id' | 'lastSeenAt'>,
  at: Date,
): Promise<void> {
  const stale = new Date(at.getTime() - useMs);
  if (lastSeenAt > stale) return;
  await em.nativeUpdate(Session, { id, lastSeenAt: { $lte: stale } }, { lastSeenAt: at });
}

/** A page of a person's open sessions but one, used within `idleMs`, the newest first. @throws Failure `invalid_input` for a foreign cursor. */
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

/** A person's own session by its id. @throws Failure `not_found`, also for another person's. */
export async function findOwnSession(em: EntityManager, userId: string, id: string): Promise<Session> {
  const session = await em.findOne(Session, { id, userId, endedAt: null });
  if (!session) throw new Failure('not_found');
  return session;
}

/** Keeps that a second factor was proven in a session. */
export async function noteFactor(em: EntityManager, id: string, at: Date): Promise<void> {
  await em.nativeUpdate(Session, { id }, { factorAt: at });
}

/** Ends every session of a person but one, and sign-ins that wait for their second step, and answers which. */
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

/** Ends every session of these accounts, and sign-ins that wait for their second step. */
export async function endSessions(em: EntityManager, userIds: readonly string[], at: Date): Promise<void> {
  await em.nativeDelete(PendingSignIn, { userId: { $in: [...userIds] } });
  await end(em, 'user_id = any (?::uuid[])', [`{${userIds.join(',')}}`], at);
}

/** Ends open sessions, by one statement with the notifications on their browsers, and answers which. */
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
  await em.nativeDelete(Session, { expiresAt: { $lt: before }, ...ofNobodyHeld() });
}
