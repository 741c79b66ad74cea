import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A signed-in browser. The cookie holds a secret whose hash is kept here; `id` is public. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'session',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    /** SHA-256 of the cookie's token, hex. */
    tokenHash: p.text().unique(),
    /** Names of browser and system, by which its person knows it (core/accounts/device.ts). */
    browser: p.text().nullable(),
    system: p.text().nullable(),
    createdAt: p.datetime(),
    lastSeenAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime().index(),
    endedAt: p.datetime().nullable(),
    /** When a second factor was last proven in it; null: its account has none. */
    factorAt: p.datetime().nullable(),
    /** When the password was last typed again in it, where that was asked for; proves who it is where there is no second factor. */
    passwordAt: p.datetime().nullable(),
    /** SHA-256 of the token before this one, hex; null: it was never replaced. */
    replacedHash: p.text().nullable().unique('session_replaced_hash'),
    /** Until when that one counts; null: until the browser has used the new one. */
    replacedUntil: p.datetime().nullable(),
    /** What `factorAt` was before: the earlier token gains nothing from the proof. */
    replacedFactorAt: p.datetime().nullable(),
  },
  indexes: [{ name: 'session_user_id_created_at_id', properties: ['userId', 'createdAt', 'id'] }],
});
export type Session = InferEntity<typeof Session>;
