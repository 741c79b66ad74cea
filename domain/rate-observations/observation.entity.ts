import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Rate } from '#core/rates/rate';
import { type Competitor, type RateSource, ratePairs } from '#core/rates/sources';

/** A figure of a source, append-only. Outliers are stored, marked, and not used. */
export const RateObservation = defineEntity({
  name: 'RateObservation',
  tableName: 'rate_observation',
  properties: {
    id: p.bigint().primary().autoincrement(),
    runId: p.uuid(),
    source: p.text().$type<RateSource>(),
    kind: p.enum(['price', 'reference'] as const),
    competitor: p.text().$type<Competitor>().nullable(),
    pair: p.enum(ratePairs),
    /** The amount sent, without the fee, in minor units of the pair's first currency. */
    amountMinor: p.bigint().nullable(),
    rate: p.bigint().$type<Rate>(),
    feeMinor: p.bigint().nullable(),
    /** SHA-256 of the answer it was read from. */
    rawHash: p.text(),
    outlier: p.boolean(),
    observedAt: p.datetime(),
    /** "YYYY-MM-DD": the day of the figure according to the source, or null. */
    asOf: p.date().nullable(),
  },
  indexes: [{ name: 'rate_observation_kind_pair_observed_at', properties: ['kind', 'pair', 'observedAt'] }],
});
export type RateObservation = InferEntity<typeof RateObservation>;

/** A bank's buying rate for the dollar on a day, from the central bank's table, append-only. */
export const BankRate = defineEntity({
  name: 'BankRate',
  tableName: 'bank_rate',
  properties: {
    id: p.bigint().primary().autoincrement(),
    runId: p.uuid(),
    /** "YYYY-MM-DD", in La Paz. */
    day: p.date(),
    bank: p.text(),
    rate: p.bigint().$type<Rate>(),
    rawHash: p.text(),
    observedAt: p.datetime(),
  },
  indexes: [{ name: 'bank_rate_day', properties: ['day', 'observedAt'] }],
});
export type BankRate = InferEntity<typeof BankRate>;
