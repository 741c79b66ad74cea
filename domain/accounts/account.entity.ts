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
    /** Its end (domain/personal-data/personal-data.ts). */
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
