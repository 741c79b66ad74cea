import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** That an owner put a person on legal hold or lifted it, and why. Append-only; `User.legalHoldAt` says what holds now. */
export const LegalHold = defineEntity({
  name: 'LegalHold',
  tableName: 'legal_hold',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    /** False: it was lifted. */
    held: p.boolean(),
    reason: p.text(),
    /** Never the person themselves: the database refuses. */
    byId: p.uuid(),
    at: p.datetime(),
  },
  indexes: [{ name: 'legal_hold_user_id_at', properties: ['userId', 'at'] }],
});
export type LegalHold = InferEntity<typeof LegalHold>;
