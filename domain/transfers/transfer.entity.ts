import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { sendCurrencies } from '#core/money/money';
import type { Rate } from '#core/rates/rate';
import type { CardRisk } from '#core/review/card-risk';
import { questionStatusNames } from '#core/review/questions';
import { rejectionCodes } from '#core/review/rejection';
import { transferStateNames } from '#core/transfers/states';
import type { PayoutTarget } from '../personal-data/payout-target.ts';

/**
 * A transfer. Only `move-transfer.ts` changes its state. All amounts in minor units, frozen by the quote; the database
 * allows one raise of the rate, at the approval (decision 43).
 */
export const Transfer = defineEntity({
  name: 'Transfer',
  tableName: 'transfer',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    state: p.enum(transferStateNames),
    /** Incremented by every change; browsers keep the highest they saw. */
    version: p.integer(),
    currency: p.enum(sendCurrencies),
    amountMinor: p.bigint(),
    feeMinor: p.bigint(),
    netMinor: p.bigint(),
    rate: p.bigint().$type<Rate>(),
    bolivianosMinor: p.bigint(),
    /** When the rate came into force. */
    rateSince: p.datetime(),
    /** Whether the sender was promised the better of the accepted rate and that of the approval. */
    takesBetterRate: p.boolean().default(false),
    /** The rate accepted by the sender, if a better one was applied; null if the accepted one still applies. */
    acceptedRate: p.bigint().$type<Rate>().nullable(),
    acceptedBolivianosMinor: p.bigint().nullable(),
    /** Dollars per euro when opened, for limits and statistics. */
    eurUsd: p.bigint().$type<Rate>(),
    /** Value in US cents when opened. */
    usdMinor: p.bigint(),
    /** The market rate when opened; null if unknown, or not stored yet. */
    referenceRate: p.bigint().$type<Rate>().nullable(),
    markupBasisPoints: p.bigint().nullable(),
    recipientId: p.uuid().nullable(),
    payoutTarget: p.json<PayoutTarget | null>().nullable(),
    quoteExpiresAt: p.datetime(),
    estimatedDelivery: p.datetime(),
    paymentIntentId: p.text().nullable().unique(),
    cardBrand: p.text().nullable(),
    cardLast4: p.text().nullable(),
    /** Where the card was issued (ISO 3166). */
    cardCountry: p.text().nullable(),
    /**
     * Stored by earlier versions, for the export of a person's data: a typed card no longer provides the holder's name.
     */
    cardHolder: p.text().nullable(),
    /** Stripe's fingerprint of the card, the same in every account. */
    cardFingerprint: p.text().nullable(),
    /** Stripe Radar's assessment of the charge and the status of its review; null before payment. */
    cardRisk: p.json<CardRisk | null>().nullable(),
    /** When Stripe reported the authorization. */
    paidAt: p.datetime().nullable(),
    /** When the authorization expires at Stripe. */
    captureBefore: p.datetime().nullable(),
    /** When Stripe reported that nothing is authorized any more for a transfer that ended without a charge. */
    authorizationVoidedAt: p.datetime().nullable(),
    decidedAt: p.datetime().nullable(),
    /** Never the sender; enforced by the database. */
    decidedById: p.uuid().nullable(),
    /** When the sender requested a cancellation after the approval. From then on no order is sent; the bank is only queried about earlier ones. */
    cancelRequestedAt: p.datetime().nullable(),
    /** When the bank was first ordered to pay it, or was about to be. */
    payoutStartedAt: p.datetime().nullable(),
    /** Why it was rejected or failed, in Spanish. */
    reason: p.text().nullable(),
    /** The rejection code; then `reason` is the admin's note to the sender. */
    rejectionCode: p.enum(rejectionCodes).nullable(),
    payoutReference: p.text().nullable(),
    /**
     * The amount returned to the sender, in minor units: our refunds and those in Stripe's dashboard, and disputes lost
     * before the payout.
     */
    returnedMinor: p.bigint(),
    /** The amount that the bank returned of the payout that completed it, in centavos. */
    payoutReturnedMinor: p.bigint(),
    /** The sum of second payouts that resolved complaints, in centavos. */
    paidAgainMinor: p.bigint(),
    /** The part of the returned amount that was paid out again, in centavos, less further returns. */
    restPaidMinor: p.bigint().defaultRaw('0'),
    /** The part of the returned amount whose share of the charge was refunded, in centavos. */
    restRefundedMinor: p.bigint().defaultRaw('0'),
    /**
     * The part of the returned amount that covers a loss, because its sender already has the charge back, in centavos.
     */
    restKeptMinor: p.bigint().defaultRaw('0'),
    /** Where the returned amount is on its way to; null: nowhere. */
    restTo: p.enum(['family', 'sender'] as const).nullable(),
    /** The card bank's fraud report (Stripe's `fraud_type`), while it is actionable. */
    fraudWarning: p.text().nullable(),
    /** Stripe's id of that warning. */
    fraudWarningId: p.text().nullable(),
    /** Deadline for correcting the account after a failed payout; then the money is refunded. */
    correctAccountBy: p.datetime().nullable(),
    /** When the recipient confirmed receipt (tracking.ts). */
    receivedAt: p.datetime().nullable(),
    /**
     * Whether admins have questions to its sender (review/questions.ts), and whether all were answered; null: no
     * questions.
     */
    questionStatus: p.enum(questionStatusNames).nullable(),
    createdAt: p.datetime(),
    changedAt: p.datetime(),
  },
  indexes: [
    { name: 'transfer_created_at_id_amount_minor', properties: ['createdAt', 'id', 'amountMinor'] },
    { name: 'transfer_user_id_created_at_id', properties: ['userId', 'createdAt', 'id'] },
    { name: 'transfer_state_changed_at', properties: ['state', 'changedAt'] },
    {
      name: 'transfer_card_fingerprint',
      expression:
        'create index transfer_card_fingerprint on transfer (card_fingerprint) where card_fingerprint is not null',
    },
    {
      name: 'transfer_payout_returned',
      expression: 'create index transfer_payout_returned on transfer (id) where payout_returned_minor > 0',
    },
  ],
});
export type Transfer = InferEntity<typeof Transfer>;

/** History: one row per state that a transfer entered, and per requested change within one. Append-only. */
export const TransferStep = defineEntity({
  name: 'TransferStep',
  tableName: 'transfer_step',
  properties: {
    transferId: p.uuid().primary(),
    version: p.integer().primary(),
    state: p.enum(transferStateNames),
    /** Name of the move; null for the opening. */
    move: p.text().nullable(),
    owner: p.text(),
    /** The actor, if it was a person. */
    actorId: p.uuid().nullable(),
    at: p.datetime(),
  },
});
export type TransferStep = InferEntity<typeof TransferStep>;
