import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A person in Bolivia in a sender's address book. Transfers keep a copy of what they need. */
export const Recipient = defineEntity({
  name: 'Recipient',
  tableName: 'recipient',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    /** Incremented by every change of it and of its name check; browsers keep the highest they saw. */
    version: p.integer().default(1),
    name: p.text(),
    email: p.text(),
    /** Last digits of phone, identity number and account (domain/personal-data/personal-data.ts). */
    phone: p.text(),
    ci: p.text(),
    bankName: p.text(),
    bankAccount: p.text(),
    /** The three numbers encrypted; null in older rows. */
    sealed: p.text().nullable(),
    accountHash: p.text().nullable(),
    address: p.text(),
    city: p.text(),
    relationship: p.text(),
    createdAt: p.datetime(),
    /** When bank or account were last changed; null if never. */
    accountChangedAt: p.datetime().nullable(),
    /** Removed from the list; kept for transfers that reference it. */
    removedAt: p.datetime().nullable(),
  },
  indexes: [{ name: 'recipient_user_id_created_at_id', properties: ['userId', 'createdAt', 'id'] }],
});
export type Recipient = InferEntity<typeof Recipient>;
