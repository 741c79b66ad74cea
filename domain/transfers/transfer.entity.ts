import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { sendCurrencies } from '#core/money/money';
import type { Rate } from '#core/rates/rate';
import type { CardRisk } from '#core/review/card-risk';
import { questionStatusNames } from '#core/review/questions';
import { rejectionCodes } from '#core/review/rejection';
import { transferStateNames } from '#core/transfers/states';
import type { PayoutTarget } from '../personal-data/payout-target.ts';

/**
 * One sending of money. Only `move-transfer.ts` changes its state. All amounts in minor units, frozen by the quote; the database lets the approval
 * alone raise the rate, once (decision 43).
 */
export const Transfer = defineEntity({
  name: 'Transfer',
  tableName: 'transfer',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    state: p.enum(transferStateNames),
    /** Raised by every change; browsers keep the highest they saw. */
    version: p.integer(),
    currency: p.enum(sendCurrencies),
    amountMinor: p.bigint(),
    feeMinor: p.bigint(),
    netMinor: p.bigint(),
    rate: p.bigint().$type<Rate>(),
    bolivianosMinor: p.bigint(),
    /** When the rate came into force. */
    rateSince: p.datetime(),
    /** Whether its sender was promised the better of the accepted rate and that of the approval. */
    takesBetterRate: p.boolean().default(false),
    /** What the sender accepted, where a better rate was applied; null where the accepted one stands. */
    acceptedRate: p.bigint().$type<Rate>().nullable(),
    acceptedBolivianosMinor: p.bigint().nullable(),
    /** Dollars per euro when opened, for limits and statistics. */
    eurUsd: p.bigint().$type<Rate>(),
    /** Value in US cents when opened. */
    usdMinor: p.bigint(),
    /** What the market paid when opened; null when it was not known, or not kept yet. */
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
    /** Of earlier versions, for the export of a person's data: the name on a card is not known when it is typed. */
    cardHolder: p.text().nullable(),
    /** Stripe's fingerprint of the card, the same in every account. */
    cardFingerprint: p.text().nullable(),
    /** What Stripe Radar says of the charge, and how its review there stands; null before payment. */
    cardRisk: p.json<CardRisk | null>().nullable(),
    /** When Stripe said that the amount is held on the card. */
    paidAt: p.datetime().nullable(),
    /** Until when Stripe keeps the authorization. */
    captureBefore: p.datetime().nullable(),
    /** When Stripe said that nothing is authorized any more for a transfer that ended without a charge. */
    authorizationVoidedAt: p.datetime().nullable(),
    decidedAt: p.datetime().nullable(),
    /** Never the sender: the database refuses. */
    decidedById: p.uuid().nullable(),
    /** When the sender requested a cancellation after the approval. From then on no order is sent; the bank is only queried about earlier ones. */
    cancelRequestedAt: p.datetime().nullable(),
    /** When the bank was first ordered to pay it, or was about to be. */
    payoutStartedAt: p.datetime().nullable(),
    /** Why it was rejected or went wrong, in Spanish. */
    reason: p.text().nullable(),
    /** Why an admin rejected it; the reason beside it is their note to the sender. */
    rejectionCode: p.enum(rejectionCodes).nullable(),
    payoutReference: p.text().nullable(),
    /** What has reached the sender again, in minor units: refunds of ours and in Stripe's dashboard, and lost disputes that the family was not paid for. */
    returnedMinor: p.bigint(),
    /** What the bank gave back of the payout that completed it, in centavos. */
    payoutReturnedMinor: p.bigint(),
    /** What the family was paid a second time, to correct what its sender reported, in centavos. */
    paidAgainMinor: p.bigint(),
    /** What the family was paid of what the bank had returned, in centavos, less what came back of that. */
    restPaidMinor: p.bigint().defaultRaw('0'),
    /** What the bank had returned and whose share of the charge went back to the sender, in centavos. */
    restRefundedMinor: p.bigint().defaultRaw('0'),
    /** What the bank had returned and covers a loss, because its sender has the charge back already, in centavos. */
    restKeptMinor: p.bigint().defaultRaw('0'),
    /** To whom what the bank returned is on its way; null: it is not. */
    restTo: p.enum(['family', 'sender'] as const).nullable(),
    /** As what the card's bank reports the payment (Stripe's `fraud_type`), while something can be done about it. */
    fraudWarning: p.text().nullable(),
    /** Stripe's id of that warning. */
    fraudWarningId: p.text().nullable(),
    /** Until when its sender may name another account, where the last payout failed; then the money goes back. */
    correctAccountBy: p.datetime().nullable(),
    /** When the family said that they have the money (tracking.ts). */
    receivedAt: p.datetime().nullable(),
    /** Whether admins asked its sender something (review/questions.ts), and whether all of it was answered; null: nothing was asked. */
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

/** History: one row per state a transfer entered, and per change within one that somebody asked for. Append-only. */
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
    /** The person behind it, when there is one. */
    actorId: p.uuid().nullable(),
    at: p.datetime(),
  },
});
export type TransferStep = InferEntity<typeof TransferStep>;
