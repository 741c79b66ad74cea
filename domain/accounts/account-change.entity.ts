import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

export const accountChangeKinds = ['email', 'password', 'factor', 'device'] as const;
export type AccountChangeKind = (typeof accountChangeKinds)[number];

/**
 * A security change of an account that its owner can undo from the e-mail about it: another address, a new password, a second factor that
 * was added or removed, a sign-in on a new device. The row holds the account as it was before. `endedAt`: it can no longer be undone.
 */
export const AccountChange = defineEntity({
  name: 'AccountChange',
  tableName: 'account_change',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    kind: p.enum(accountChangeKinds),
    /** The proven address of the account at the time. The e-mail goes there, and undoing the change restores it. */
    email: p.text(),
    /** Rows of the second factors (SQL function `account_factors`); secrets stay encrypted and codes hashed. */
    factors: p.json().hidden(),
    at: p.datetime().index('account_change_at'),
    undoUntil: p.datetime(),
    endedAt: p.datetime().nullable(),
  },
  indexes: [
    { name: 'account_change_user_id_at', properties: ['userId', 'at'] },
    {
      name: 'account_change_email',
      expression: `create index account_change_email on account_change (email) where kind = 'email'`,
    },
  ],
});
export type AccountChange = InferEntity<typeof AccountChange>;

/** The undo link in an e-mail about such a change: each e-mail has a different one. */
export const AccountChangeLink = defineEntity({
  name: 'AccountChangeLink',
  tableName: 'account_change_link',
  properties: {
    /** SHA-256 of the link's token, hex. */
    tokenHash: p.text().primary(),
    changeId: p.uuid().index('account_change_link_change_id'),
  },
});
export type AccountChangeLink = InferEntity<typeof AccountChangeLink>;
