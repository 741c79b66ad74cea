import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/**
 * An admin's block of an account, or its lifting, with the reason. Append-only; `User.blockedAt` has the current state.
 */
export const AccountBlock = defineEntity({
  name: 'AccountBlock',
  tableName: 'account_block',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    /** False: the block was lifted. */
    blocked: p.boolean(),
    reason: p.text(),
    /** Never the user; enforced by the database. */
    byId: p.uuid(),
    at: p.datetime(),
  },
  indexes: [{ name: 'account_block_user_id_at', properties: ['userId', 'at'] }],
});
export type AccountBlock = InferEntity<typeof AccountBlock>;

/** An admin's note about an account; immutable. */
export const AccountNote = defineEntity({
  name: 'AccountNote',
  tableName: 'account_note',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    authorId: p.uuid(),
    text: p.text(),
    at: p.datetime(),
  },
  indexes: [{ name: 'account_note_user_id_at', properties: ['userId', 'at'] }],
});
export type AccountNote = InferEntity<typeof AccountNote>;
