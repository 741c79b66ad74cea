import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A payment that the bank returned, append-only. Only `bank-return.repository.ts` writes it. */
export const BankReturn = defineEntity({
  name: 'BankReturn',
  tableName: 'bank_return',
  properties: {
    /** Numbers returns in the order in which the bank listed them. */
    position: p.bigint().primary().autoincrement(),
    /** The bank's id, used as cursor for the next ones. */
    id: p.text().unique(),
    /** The returned payout; null if it is not ours. */
    operationId: p.uuid().nullable(),
    externalId: p.text().nullable(),
    /** In centavos. */
    amountMinor: p.bigint().nullable(),
    code: p.text().nullable(),
    message: p.text().nullable(),
    returnedAt: p.datetime().nullable(),
    /**
     * Why it could not be booked; null if it was, and for payments that are not ours. Unreadable fields are null above.
     */
    problem: p.text().nullable(),
    takenAt: p.datetime(),
  },
});
export type BankReturn = InferEntity<typeof BankReturn>;
