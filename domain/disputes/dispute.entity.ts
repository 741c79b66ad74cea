import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { disputeBookings } from '#core/operations/dispute';

/** A dispute or an inquiry about a card payment, as Stripe showed it last. Only `dispute.repository.ts` changes it. */
export const Dispute = defineEntity({
  name: 'Dispute',
  tableName: 'dispute',
  properties: {
    /** Stripe's id. */
    id: p.text().primary(),
    transferId: p.uuid(),
    /** Stripe's status (`core/operations/dispute.ts`); others may come. */
    status: p.text(),
    /** Stripe's reason, such as `fraudulent`. */
    reason: p.text(),
    /** What is disputed, in minor units of `currency`. */
    amountMinor: p.bigint(),
    currency: p.text(),
    /** What the dispute itself costs, in minor units of `feeCurrency`; the ledger of transfers has no part in it. */
    feeMinor: p.bigint(),
    feeCurrency: p.text().nullable(),
    /** Whether Stripe takes refunds of the payment meanwhile. */
    refundable: p.boolean(),
    /** How it stands in the books. */
    booking: p.enum(disputeBookings),
    evidenceDueBy: p.datetime().nullable(),
    /** What an admin wants the card's bank to read. */
    responseText: p.text().nullable(),
    respondedById: p.uuid().nullable(),
    /** When the evidence was handed in. */
    submittedAt: p.datetime().nullable(),
    openedAt: p.datetime(),
    changedAt: p.datetime(),
    /** Raised by every change. */
    version: p.integer(),
  },
});
export type Dispute = InferEntity<typeof Dispute>;
