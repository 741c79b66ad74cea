import { randomUUID } from 'node:crypto';
import type { EntityManager } from '#platform/database/database';
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
): Promise<{ session: Session; user: User } | null> {
  const session = await em.findOne(Session, { tokenHash: hashSecret(secret), endedAt: null, expiresAt: { $gt: at } });
  const user = session && (await em.findOne(User, { id: session.userId }));
  return session && user && { session, user };
}

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
