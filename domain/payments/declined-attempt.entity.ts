import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** The origin of a transfer's payment, or of the sender's last visit to it. */
export const PaymentOrigin = defineEntity({
  name: 'PaymentOrigin',
  tableName: 'payment_origin',
  properties: {
    transferId: p.uuid().primary(),
    /** The stored part of the caller's address, or null. */
    network: p.text().nullable(),
    /** The last of these browsers, by the hash of its secret. */
    device: p.text().nullable(),
    /** Since when the newest of these browsers has known the account; null if the call was not by a browser. */
    deviceSince: p.datetime().nullable(),
    at: p.datetime().index(),
  },
});
export type PaymentOrigin = InferEntity<typeof PaymentOrigin>;

/** A payment attempt declined by the card's bank, or by Stripe before it. */
export const DeclinedAttempt = defineEntity({
  name: 'DeclinedAttempt',
  tableName: 'declined_attempt',
  properties: {
    /** Stripe's charge id. */
    chargeId: p.text().primary(),
    transferId: p.uuid(),
    userId: p.uuid(),
    /** As in its payment's origin. */
    network: p.text().nullable(),
    /** Stripe's fingerprint of the card, independent of account and transfer. */
    card: p.text().nullable(),
    at: p.datetime().index(),
  },
  indexes: [
    { name: 'declined_attempt_user_id_at', properties: ['userId', 'at'] },
    { name: 'declined_attempt_network_at', properties: ['network', 'at'] },
    { name: 'declined_attempt_card_at', properties: ['card', 'at'] },
    { name: 'declined_attempt_transfer_id', properties: ['transferId'] },
  ],
});
export type DeclinedAttempt = InferEntity<typeof DeclinedAttempt>;
