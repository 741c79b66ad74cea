import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

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
