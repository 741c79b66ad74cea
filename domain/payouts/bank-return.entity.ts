import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A payment that came back to the bank, append-only. Only `bank-return.repository.ts` writes it. */
export const BankReturn = defineEntity({
  name: 'BankReturn',
  tableName: 'bank_return',
  properties: {
    /** Counts returns in the order in which the bank listed them. */
    position: p.bigint().primary().autoincrement(),
    /** The bank's own id, by which the next ones are asked for. */
    id: p.text().unique(),
    /** The payout that came back; null when it is none of ours. */
    operationId: p.uuid().nullable(),
    externalId: p.text().nullable(),
    /** In centavos. */
    amountMinor: p.bigint().nullable(),
    code: p.text().nullable(),
    message: p.text().nullable(),
    returnedAt: p.datetime().nullable(),
    /** Why it could not be booked; null where it was, and of payments that are not ours. What could not be read is null above. */
    problem: p.text().nullable(),
    takenAt: p.datetime(),
  },
});
export type BankReturn = InferEntity<typeof BankReturn>;
