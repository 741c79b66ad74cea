import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A line of the double-entry ledger: an amount moves from one account to another, so it always sums to zero. */
export const Posting = defineEntity({
  name: 'Posting',
  tableName: 'ledger_posting',
  properties: {
    transferId: p.uuid().primary(),
    /** The booking it belongs to, such as `charge` or `refund:2`; each happens once per transfer. */
    entry: p.text().primary(),
    line: p.integer().primary(),
    source: p.text(),
    destination: p.text(),
    amountMinor: p.bigint(),
    currency: p.text(),
    at: p.datetime(),
  },
});
export type Posting = InferEntity<typeof Posting>;
