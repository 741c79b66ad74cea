import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { adminRoles } from '#core/accounts/admin-roles';
import { tiers } from '#core/accounts/tiers';
import { locales } from '#core/locale/locale';
import { sendCurrencies } from '#core/money/money';
import type { OptionalEmail } from '#core/notifications/email-preferences';

/** A user account: a sender or an admin. */
export const User = defineEntity({
  name: 'User',
  tableName: 'app_user',
  properties: {
    id: p.uuid().primary(),
    /** Lower case; unique. */
    email: p.text().unique(),
    /** When a link or code sent to the address was used. Until then the address and the name are unverified. */
    emailVerifiedAt: p.datetime().nullable(),
    /** Verification tier, which sets the sending limits. */
    tier: p.enum(tiers).default('email'),
    name: p.text(),
    /** Last digits only (domain/personal-data.ts). */
    phone: p.text().nullable(),
    phoneSealed: p.text().nullable(),
    phoneHash: p.text().nullable(),
    city: p.text().nullable(),
    occupation: p.text().nullable(),
    /** "YYYY-MM-DD"; given with the first transfer. */
    birthDate: p.date().nullable(),
    role: p.enum(['user', 'admin'] as const),
    /** The admin's role (core/accounts/roles.ts). */
    adminRole: p.enum(adminRoles).nullable(),
    /** When two owners last granted a role with more permissions; null: set on the command line, or never. */
    adminRoleSince: p.datetime().nullable(),
    /** The language of e-mails to them, and of the pages where no browser says otherwise. */
    locale: p.enum(locales).default('es'),
    /** Optional e-mails the user has turned off. */
    mutedEmails: p.array<OptionalEmail>().default([]),
    /** Default payment currency; null: the one used last. */
    preferredCurrency: p.enum(sendCurrencies).nullable(),
    /** PHC string of argon2id. */
    passwordHash: p.text().hidden(),
    termsAcceptedAt: p.datetime().nullable(),
    lastActiveAt: p.datetime().nullable(),
    /** Everything in the news feed up to this time has been read (notifications/news.ts). */
    newsReadUntil: p.datetime().defaultRaw('now()'),
    createdAt: p.datetime(),
    /** When the user closed the account: sign-in is off, and the row is kept for its transfers. */
    closedAt: p.datetime().nullable(),
    /**
     * Since when an admin has blocked the account (account-block.entity.ts has actor and reason): no sign-in, no new
     * payment.
     */
    blockedAt: p.datetime().nullable(),
    /**
     * Since when the account is on legal hold: nothing is erased (legal-hold.repository.ts) and the user is not
     * notified.
     */
    legalHoldAt: p.datetime().nullable(),
    /** When the user closed the account during a legal hold; the data is erased once the hold is lifted. */
    erasureDueAt: p.datetime().nullable(),
  },
  indexes: [
    { name: 'app_user_created_at_id', properties: ['createdAt', 'id'] },
    {
      name: 'app_user_admin_role',
      expression: 'create index app_user_admin_role on app_user (admin_role) where admin_role is not null',
    },
    {
      name: 'app_user_legal_hold',
      expression: 'create index app_user_legal_hold on app_user (id) where legal_hold_at is not null',
    },
    {
      name: 'app_user_erasure_due',
      expression: 'create index app_user_erasure_due on app_user (erasure_due_at) where erasure_due_at is not null',
    },
  ],
});
export type User = InferEntity<typeof User>;

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

/**
 * A password reset request. It starts with the address as typed; a job then looks up the account, or deletes the
 * request.
 */
export const PasswordReset = defineEntity({
  name: 'PasswordReset',
  tableName: 'password_recovery',
  properties: {
    id: p.uuid().primary(),
    email: p.text().nullable(),
    userId: p.uuid().nullable().index(),
    createdAt: p.datetime(),
    expiresAt: p.datetime().index(),
    endedAt: p.datetime().nullable(),
    /** `used`: the password was changed with it; `replaced`: the user requested another one. */
    ending: p.enum(['used', 'replaced'] as const).nullable(),
  },
});
export type PasswordReset = InferEntity<typeof PasswordReset>;

/** A link sent in a password reset e-mail: each e-mail has a different one, and all expire with the reset. */
export const PasswordResetLink = defineEntity({
  name: 'PasswordResetLink',
  tableName: 'password_recovery_link',
  properties: {
    /** SHA-256 of the link's token, hex. */
    tokenHash: p.text().primary(),
    resetId: p.uuid().fieldName('recovery_id').index('password_recovery_link_recovery_id_index'),
  },
});
export type PasswordResetLink = InferEntity<typeof PasswordResetLink>;

/**
 * A request to change the e-mail address of an account. `changedAt`: the new address was confirmed. `endedAt`: it can
 * no longer be confirmed. `AccountChange` handles undoing it.
 */
export const EmailChange = defineEntity({
  name: 'EmailChange',
  tableName: 'email_change',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    /** The session that made the request; it stays signed in. */
    sessionId: p.uuid(),
    oldEmail: p.text(),
    newEmail: p.text(),
    createdAt: p.datetime().index('email_change_created_at'),
    expiresAt: p.datetime(),
    changedAt: p.datetime().nullable(),
    /** Written by the previous version and copied by a trigger; a later migration drops it. */
    undoUntil: p.datetime().nullable(),
    endedAt: p.datetime().nullable(),
  },
  indexes: [
    { name: 'email_change_user_id_created_at', properties: ['userId', 'createdAt'] },
    {
      name: 'email_change_old_email',
      expression: 'create index email_change_old_email on email_change (old_email) where undo_until is not null',
    },
  ],
});
export type EmailChange = InferEntity<typeof EmailChange>;

/** A link in an e-mail about such a change: each e-mail has a different one. */
export const EmailChangeLink = defineEntity({
  name: 'EmailChangeLink',
  tableName: 'email_change_link',
  properties: {
    /** SHA-256 of the link's token, hex. */
    tokenHash: p.text().primary(),
    changeId: p.uuid().index('email_change_link_change_id'),
    /** `undo`: written by the previous version. */
    purpose: p.enum(['confirm', 'undo'] as const),
  },
});
export type EmailChangeLink = InferEntity<typeof EmailChangeLink>;
