import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { nameCheckStatusNames } from '#core/recipients/name-check';

/** A query to the bank whether an account is in a recipient's name. Only `name-check.repository.ts` changes it. */
export const NameCheck = defineEntity({
  name: 'NameCheck',
  tableName: 'name_check',
  properties: {
    /** Idempotency key of the query at the bank. */
    id: p.uuid().primary(),
    recipientId: p.uuid(),
    userId: p.uuid(),
    /** The queried name and account. A change of either causes a new query. */
    name: p.text(),
    bankName: p.text(),
    /** Last digits (domain/personal-data/personal-data.ts), the encrypted number, and the hash that equal accounts share. */
    bankAccount: p.text(),
    sealed: p.text().nullable(),
    accountHash: p.text().nullable(),
    status: p.enum(nameCheckStatusNames),
    /** The account holder's name according to the bank, masked. */
    bankSays: p.text().nullable(),
    /** Number of jobs added for it. */
    dispatch: p.integer().default(1),
    /** Number of attempts started. */
    attempts: p.integer(),
    /** When the next attempt is due; null: none. */
    nextAttemptAt: p.datetime().nullable(),
    lastError: p.text().nullable(),
    askedAt: p.datetime(),
    answeredAt: p.datetime().nullable(),
    /** When the sender confirmed the name despite the mismatch. */
    confirmedAt: p.datetime().nullable(),
  },
  indexes: [
    { name: 'name_check_recipient_id_asked_at', properties: ['recipientId', 'askedAt'] },
    { name: 'name_check_user_id_asked_at', properties: ['userId', 'askedAt'] },
  ],
});
export type NameCheck = InferEntity<typeof NameCheck>;
