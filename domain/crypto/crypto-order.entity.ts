import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { cryptoStatuses } from '#core/crypto/crypto-order';

/**
 * A purchase of USDC by card at the provider. Only `crypto-order.repository.ts` changes it. It moves no money of ours.
 */
export const CryptoOrder = defineEntity({
  name: 'CryptoOrder',
  tableName: 'crypto_order',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    status: p.enum(cryptoStatuses),
    /** Incremented by every change; browsers keep the highest they saw. */
    version: p.integer(),
    /** Requested amount, in US cents. */
    amountMinor: p.bigint(),
    walletAddress: p.text(),
    /** Stripe's onramp session, once there is one. */
    sessionId: p.text().nullable().unique(),
    /** Spent on USDC, in US cents, as the provider says. */
    paidMinor: p.bigint().nullable(),
    /** USDC bought, in millionths. */
    usdcMillionths: p.bigint().fieldName('coins').nullable(),
    /** The provider's fees, in US cents. */
    networkFeeMinor: p.bigint().nullable(),
    transactionFeeMinor: p.bigint().nullable(),
    /** The delivery's transaction on the network. */
    transactionId: p.text().nullable(),
    /** The buyer's idempotency key, and the SHA-256 of the request. */
    idempotencyKey: p.text().nullable(),
    inputHash: p.text(),
    createdAt: p.datetime(),
    changedAt: p.datetime(),
  },
  indexes: [
    { name: 'crypto_order_user_id_created_at_id', properties: ['userId', 'createdAt', 'id'] },
    { name: 'crypto_order_status_changed_at', properties: ['status', 'changedAt'] },
  ],
  uniques: [{ name: 'crypto_order_user_id_idempotency_key_unique', properties: ['userId', 'idempotencyKey'] }],
});
export type CryptoOrder = InferEntity<typeof CryptoOrder>;
