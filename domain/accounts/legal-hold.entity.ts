import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/**
 * An owner's legal hold on a user, or its lifting, with the reason. Append-only; `User.legalHoldAt` has the current
 * state.
 */
export const LegalHold = defineEntity({
  name: 'LegalHold',
  tableName: 'legal_hold',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    /** False: it was lifted. */
    held: p.boolean(),
    reason: p.text(),
    /** Never the user; enforced by the database. */
    byId: p.uuid(),
    at: p.datetime(),
  },
  indexes: [{ name: 'legal_hold_user_id_at', properties: ['userId', 'at'] }],
});
export type LegalHold = InferEntity<typeof LegalHold>;
