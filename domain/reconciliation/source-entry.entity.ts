import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { MovementKind } from '#core/reconciliation/movement';

/**
 * A balance transaction of Stripe, append-only. Amounts are signed minor units: positive increases our balance at
 * Stripe.
 */
export const StripeEntry = defineEntity({
  name: 'StripeEntry',
  tableName: 'stripe_entry',
  properties: {
    /** Stripe's id. */
    id: p.text().primary(),
    kind: p.text().$type<MovementKind | 'stripe_fee' | 'stripe_payout'>(),
    /** Stripe's type. */
    type: p.text(),
    reportingCategory: p.text(),
    sourceId: p.text().nullable(),
    paymentIntentId: p.text().nullable(),
    /** Null: it belongs to none of our transfers. */
    transferId: p.uuid().nullable(),
    amountMinor: p.bigint(),
    /** Stripe's fee; not part of the amount. */
    feeMinor: p.bigint(),
    currency: p.text(),
    description: p.text().nullable(),
    createdAt: p.datetime(),
    /** When Stripe can pay the money out to our bank. */
    availableOn: p.datetime(),
    /** The day in La Paz of `createdAt`. */
    happenedOn: p.date(),
    /** The day it counts for: a later one if that day was already closed. */
    day: p.date(),
    importedAt: p.datetime(),
  },
});
export type StripeEntry = InferEntity<typeof StripeEntry>;

/** Up to when a source has been imported. */
export const ImportProgress = defineEntity({
  name: 'ImportProgress',
  tableName: 'import_progress',
  properties: {
    source: p.text().primary(),
    until: p.datetime(),
    changedAt: p.datetime(),
  },
});
export type ImportProgress = InferEntity<typeof ImportProgress>;

/** A statement of our account at the bank, append-only. */
export const BankStatement = defineEntity({
  name: 'BankStatement',
  tableName: 'bank_statement',
  properties: {
    id: p.uuid().primary(),
    account: p.text(),
    /** The bank's number of the statement. */
    number: p.text(),
    day: p.date(),
    currency: p.text(),
    openingMinor: p.bigint(),
    closingMinor: p.bigint(),
    format: p.text().$type<'camt053' | 'csv'>(),
    /** Of the file, in hexadecimal: the same file is imported once. */
    sha256: p.text().unique(),
    /** Null: fetched automatically from the bank. */
    importedById: p.uuid().nullable(),
    importedAt: p.datetime(),
  },
});
export type BankStatement = InferEntity<typeof BankStatement>;

/** A line of a statement, append-only. */
export const BankEntry = defineEntity({
  name: 'BankEntry',
  tableName: 'bank_entry',
  properties: {
    id: p.uuid().primary(),
    statementId: p.uuid(),
    account: p.text(),
    statementNumber: p.text(),
    lineReference: p.text(),
    kind: p.text().$type<'payout' | 'payout_return' | 'bank_fee' | 'other'>(),
    transferId: p.uuid().nullable(),
    /** Our id of the payment. */
    externalId: p.text().nullable(),
    bankReference: p.text().nullable(),
    /** Signed: positive increases our balance at the bank. */
    amountMinor: p.bigint(),
    currency: p.text(),
    /** Currency of the payment order; null: not stated. */
    instructedCurrency: p.text().nullable(),
    description: p.text().nullable(),
    happenedOn: p.date(),
    day: p.date(),
    importedAt: p.datetime(),
  },
  uniques: [{ name: 'bank_entry_line_unique', properties: ['account', 'statementNumber', 'lineReference'] }],
});
export type BankEntry = InferEntity<typeof BankEntry>;

/** A posting derived from a source's entry (decision 28), append-only. It sums to zero like those of the ledger. */
export const SettlementPosting = defineEntity({
  name: 'SettlementPosting',
  tableName: 'settlement_posting',
  properties: {
    /** Its source, such as `fee:txn_1`; unique. */
    entry: p.text().primary(),
    transferId: p.uuid().nullable(),
    source: p.text(),
    destination: p.text(),
    amountMinor: p.bigint(),
    currency: p.text(),
    day: p.date(),
    at: p.datetime(),
  },
});
export type SettlementPosting = InferEntity<typeof SettlementPosting>;
