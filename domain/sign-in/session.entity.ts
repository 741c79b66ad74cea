import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A signed-in browser. The cookie holds a secret of which only the hash is stored; `id` is public. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'session',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    /** SHA-256 of the cookie's token, hex. */
    tokenHash: p.text().unique(),
    /** Browser and system, so that the user recognizes the session (core/accounts/device.ts). */
    browser: p.text().nullable(),
    system: p.text().nullable(),
    createdAt: p.datetime(),
    lastSeenAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime().index(),
    endedAt: p.datetime().nullable(),
    /** When a second factor was last proven in it; null: its account has none. */
    factorAt: p.datetime().nullable(),
    /**
     * When the password was last confirmed in this session; the proof of identity for accounts without a second factor.
     */
    passwordAt: p.datetime().nullable(),
    /** SHA-256 of the previous token, hex; null: never rotated. */
    replacedHash: p.text().nullable().unique('session_replaced_hash'),
    /** How long the previous token stays valid; null: until the browser has used the new one. */
    replacedUntil: p.datetime().nullable(),
    /** Value of `factorAt` before the rotation, so that the previous token gains nothing from the proof. */
    replacedFactorAt: p.datetime().nullable(),
  },
  indexes: [{ name: 'session_user_id_created_at_id', properties: ['userId', 'createdAt', 'id'] }],
});
export type Session = InferEntity<typeof Session>;
