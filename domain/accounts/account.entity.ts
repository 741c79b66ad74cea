import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { adminRoles } from '#core/accounts/admin-roles';
import { tiers } from '#core/accounts/tiers';
import { locales } from '#core/locale/locale';
import { sendCurrencies } from '#core/money/money';
import type { OptionalEmail } from '#core/notifications/email-preferences';

/** A person with an account: a sender, or an admin. */
export const User = defineEntity({
  name: 'User',
  tableName: 'app_user',
  properties: {
    id: p.uuid().primary(),
    /** Lower case; unique. */
    email: p.text().unique(),
    /** When a link or code sent to the address was used. Until then anybody may have typed address and name. */
    emailVerifiedAt: p.datetime().nullable(),
    /** How well its person is known: how much they may send. */
    tier: p.enum(tiers).default('email'),
    name: p.text(),
    /** Its end (domain/personal-data.ts). */
    phone: p.text().nullable(),
    phoneSealed: p.text().nullable(),
    phoneHash: p.text().nullable(),
    city: p.text().nullable(),
    occupation: p.text().nullable(),
    /** "YYYY-MM-DD"; given with the first transfer. */
    birthDate: p.date().nullable(),
    role: p.enum(['user', 'admin'] as const),
    /** What an admin may do (core/accounts/roles.ts). */
    adminRole: p.enum(adminRoles).nullable(),
    /** When two owners last gave them a role that permits more; null: on the command line, or never. */
    adminRoleSince: p.datetime().nullable(),
    /** The language of e-mails to them, and of the pages where no browser says otherwise. */
    locale: p.enum(locales).default('es'),
    /** Kinds of optional e-mails that the person does not want. */
    mutedEmails: p.array<OptionalEmail>().default([]),
    /** In which they pay unless they choose otherwise; null: as last time. */
    preferredCurrency: p.enum(sendCurrencies).nullable(),
    /** PHC string of argon2id. */
    passwordHash: p.text().hidden(),
    termsAcceptedAt: p.datetime().nullable(),
    lastActiveAt: p.datetime().nullable(),
    /** Until when they have read their news (notifications/news.ts). */
    newsReadUntil: p.datetime().defaultRaw('now()'),
    createdAt: p.datetime(),
    /** When its person closed it: nobody signs in any more, and it is kept for its transfers. */
    closedAt: p.datetime().nullable(),
    /** Since when an admin keeps its person out (account-block.entity.ts says who and why): no sign-in, no new payment. */
    blockedAt: p.datetime().nullable(),
    /** Since when nothing about them is erased (legal-hold.repository.ts); they are not told. */
    legalHoldAt: p.datetime().nullable(),
    /** When they closed the account on legal hold: what closing removes is removed once that is lifted. */
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

/**
 * A request for a new password. It starts with the address as it was typed; a job looks it up, and then the request belongs to an
 * account or is deleted.
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
    /** `used`: the password was changed with it; `replaced`: the person asked again. */
    ending: p.enum(['used', 'replaced'] as const).nullable(),
  },
});
export type PasswordReset = InferEntity<typeof PasswordReset>;

/** The link in the e-mail of a password reset: each sending has its own, and all of them end with the reset. */
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
 * A request to change the e-mail address of an account. `changedAt`: the new one was confirmed. `endedAt`: it can no longer be. Undoing it
 * is a matter of `AccountChange`.
 */
export const EmailChange = defineEntity({
  name: 'EmailChange',
  tableName: 'email_change',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    /** Where it was asked for; this session goes on. */
    sessionId: p.uuid(),
    oldEmail: p.text(),
    newEmail: p.text(),
    createdAt: p.datetime().index('email_change_created_at'),
    expiresAt: p.datetime(),
    changedAt: p.datetime().nullable(),
    /** Written by the version before, from which a trigger takes it over; a later migration drops it. */
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

/** The link in an e-mail about such a change: each sending has its own. */
export const EmailChangeLink = defineEntity({
  name: 'EmailChangeLink',
  tableName: 'email_change_link',
  properties: {
    /** SHA-256 of the link's token, hex. */
    tokenHash: p.text().primary(),
    changeId: p.uuid().index('email_change_link_change_id'),
    /** `undo`: of the version before. */
    purpose: p.enum(['confirm', 'undo'] as const),
  },
});
export type EmailChangeLink = InferEntity<typeof EmailChangeLink>;
