import { randomUUID } from 'node:crypto';
import { UnderscoreNamingStrategy } from '@mikro-orm/core';
import { type EntityManager, type PreparedStatement, runPrepared } from '#platform/database/database';
import { Session, User } from './account.entity.ts';
import { hashSecret } from './passwords.ts';

export type { Session } from './account.entity.ts';

/** Opens a session in the transaction of `em`; only a hash of the secret is stored, so a stolen table opens none. */
export function openSession(
  em: EntityManager,
  { userId, secret, at, expiresAt }: { userId: string; secret: string; at: Date; expiresAt: Date },
): Session {
  const session = em.create(Session, {
    id: randomUUID(),
    userId,
    tokenHash: hashSecret(secret),
    createdAt: at,
    expiresAt,
  });
  em.persist(session);
  return session;
}

/** The open session of a secret and its person; null when there is none. */
export async function findSession(
  em: EntityManager,
  secret: string,
  at: Date,
): Promise<{ session: Pick<Session, 'id' | 'expiresAt'>; user: User } | null> {
  const [found] = await runPrepared<{ session_id: string; ends: number }>(em, findOpen, [hashSecret(secret), at]);
  if (!found) return null;
  const { session_id: id, ends, ...row } = found;
  return { session: { id, expiresAt: new Date(ends) }, user: em.map(User, row) };
}

const naming = new UnderscoreNamingStrategy();

/** By one prepared statement: every call of a signed-in person begins with it. */
const findOpen: PreparedStatement = {
  name: 'open-session',
  text: `
    select s.id as session_id, (extract(epoch from s.expires_at) * 1000)::float8 as ends,
      ${Object.keys(User.properties).map((name) => `u.${naming.propertyToColumnName(name)}`)}
    from session as s join app_user as u on u.id = s.user_id
    where s.token_hash = $1 and s.ended_at is null and s.expires_at > $2`,
};

/** Ends one session for good. */
export async function endSession(em: EntityManager, id: string, at: Date): Promise<void> {
  await em.nativeUpdate(Session, { id, endedAt: null }, { endedAt: at });
}

/** Ends every session of these accounts. */
export async function endSessions(em: EntityManager, userIds: readonly string[], at: Date): Promise<void> {
  await em.nativeUpdate(Session, { userId: { $in: [...userIds] }, endedAt: null }, { endedAt: at });
}

/** Deletes sessions that expired before a moment. */
export async function deleteSessions(em: EntityManager, before: Date): Promise<void> {
  await em.nativeDelete(Session, { expiresAt: { $lt: before } });
}
