import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { disputeBookings } from '#core/operations/dispute';

/** A dispute or an inquiry about a card payment, as last read from Stripe. Only `dispute.repository.ts` changes it. */
export const Dispute = defineEntity({
  name: 'Dispute',
  tableName: 'dispute',
  properties: {
    /** Stripe's id. */
    id: p.text().primary(),
    transferId: p.uuid(),
    /** Stripe's status (`core/operations/dispute.ts`), which may be a new one. */
    status: p.text(),
    /** Stripe's reason, such as `fraudulent`. */
    reason: p.text(),
    /** The disputed amount, in minor units of `currency`. */
    amountMinor: p.bigint(),
    currency: p.text(),
    /** Stripe's dispute fee, in minor units of `feeCurrency`; not part of the transfer ledger. */
    feeMinor: p.bigint(),
    feeCurrency: p.text().nullable(),
    /** Whether Stripe accepts refunds of the payment during the dispute. */
    refundable: p.boolean(),
    /** How it is booked. */
    booking: p.enum(disputeBookings),
    evidenceDueBy: p.datetime().nullable(),
    /** The admin's response to the card's bank. */
    responseText: p.text().nullable(),
    respondedById: p.uuid().nullable(),
    /** When the evidence was submitted. */
    submittedAt: p.datetime().nullable(),
    openedAt: p.datetime(),
    changedAt: p.datetime(),
    /** Incremented by every change. */
    version: p.integer(),
  },
});
export type Dispute = InferEntity<typeof Dispute>;
