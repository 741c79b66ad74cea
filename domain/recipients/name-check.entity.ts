import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { nameCheckStatusNames } from '#core/recipients/name-check';

/** A question to the bank whether an account is in a recipient's name. Only `name-check.repository.ts` changes it. */
export const NameCheck = defineEntity({
  name: 'NameCheck',
  tableName: 'name_check',
  properties: {
    /** The bank knows the question by it, however often it is asked. */
    id: p.uuid().primary(),
    recipientId: p.uuid(),
    userId: p.uuid(),
    /** What was asked. A recipient with another name or account is asked about anew. */
    name: p.text(),
    bankName: p.text(),
    /** Its end (domain/personal-data/personal-data.ts), with what is encrypted of it, and what equal accounts share. */
    bankAccount: p.text(),
    sealed: p.text().nullable(),
    accountHash: p.text().nullable(),
    status: p.enum(nameCheckStatusNames),
    /** The bank's name of the account, masked. */
    bankSays: p.text().nullable(),
    /** Jobs that were added for it. */
    dispatch: p.integer().default(1),
    /** Attempts that were begun. */
    attempts: p.integer(),
    /** When it is attempted next; null when it is not. */
    nextAttemptAt: p.datetime().nullable(),
    lastError: p.text().nullable(),
    askedAt: p.datetime(),
    answeredAt: p.datetime().nullable(),
    /** When the sender said that the name is right all the same. */
    confirmedAt: p.datetime().nullable(),
  },
  indexes: [
    { name: 'name_check_recipient_id_asked_at', properties: ['recipientId', 'askedAt'] },
    { name: 'name_check_user_id_asked_at', properties: ['userId', 'askedAt'] },
  ],
});
export type NameCheck = InferEntity<typeof NameCheck>;
