/** Why a session ended by itself: idle timeout, or its maximum lifetime. */
export const sessionEndReasons = ['idle', 'expired'] as const;
export type SessionEndReason = (typeof sessionEndReasons)[number];

/** How long sessions last, in ms. */
export interface SessionLimits {
  /** Unused, of a sender who did not ask to be remembered. */
  readonly idleMs: number;
  /** Unused, of a sender who did. */
  readonly rememberedIdleMs: number;
  /** Unused, of an admin; remembered or not. */
  readonly adminIdleMs: number;
  /** At most, of an admin. */
  readonly adminMs: number;
}

/** From here on a session is one that remembers: others end with the day (ms). */
const rememberedFromMs = 24 * 3_600_000;

/** When a session ends unless it is used before, and why. */
export function sessionEnd(
  session: { readonly createdAt: Date; readonly lastSeenAt: Date; readonly expiresAt: Date },
  isAdmin: boolean,
  limits: SessionLimits,
): { at: Date; reason: SessionEndReason } {
  const [created, seen] = [session.createdAt.getTime(), session.lastSeenAt.getTime()];
  const remembered = session.expiresAt.getTime() - created >= rememberedFromMs;
  const idleMs = isAdmin ? limits.adminIdleMs : remembered ? limits.rememberedIdleMs : limits.idleMs;
  const expires = Math.min(session.expiresAt.getTime(), isAdmin ? created + limits.adminMs : Number.POSITIVE_INFINITY);
  return seen + idleMs < expires
    ? { at: new Date(seen + idleMs), reason: 'idle' }
    : { at: new Date(expires), reason: 'expired' };
}
