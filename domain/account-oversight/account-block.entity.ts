import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** That an admin blocked an account or took the block back, and why. Append-only; `User.blockedAt` says what holds now. */
export const AccountBlock = defineEntity({
  name: 'AccountBlock',
  tableName: 'account_block',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    /** False: the block was taken back. */
    blocked: p.boolean(),
    reason: p.text(),
    /** Never the person themselves: the database refuses. */
    byId: p.uuid(),
    at: p.datetime(),
  },
  indexes: [{ name: 'account_block_user_id_at', properties: ['userId', 'at'] }],
});
export type AccountBlock = InferEntity<typeof AccountBlock>;

/** What an admin wrote about an account; never changed. */
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
