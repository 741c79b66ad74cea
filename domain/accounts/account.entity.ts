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
    /** Last digits only (domain/personal-data/personal-data.ts). */
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
