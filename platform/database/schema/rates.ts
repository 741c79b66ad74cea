import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { sendCurrencies } from '#core/money';
import type { Rate } from '#core/rate';
import type { Competitor, RateSource, SourceFailure } from '#core/rate-sources';

/** Every rate ever set, append-only; the newest of a currency is in force. */
export const RateEntry = defineEntity({
  name: 'RateEntry',
  tableName: 'rate',
  properties: {
    id: p.bigint().primary().autoincrement(),
    currency: p.enum(sendCurrencies),
    /** Millionths of a boliviano for one unit of `currency`. */
    rate: p.bigint().$type<Rate>(),
    setById: p.uuid(),
    createdAt: p.datetime(),
  },
  indexes: [{ name: 'rate_currency_id', properties: ['currency', 'id'] }],
});
export type RateEntry = InferEntity<typeof RateEntry>;

/** How one source did in a run: how many figures it gave, or why none (all of them, when it failed halfway). */
export interface SourceResult {
  readonly source: RateSource;
  readonly observations: number;
  readonly failure: SourceFailure | null;
  readonly tookMs: number;
}

/** One round of asking every source. A unique index allows a single open one. */
export const RateRun = defineEntity({
  name: 'RateRun',
  tableName: 'rate_run',
  properties: {
    id: p.uuid().primary(),
    trigger: p.enum(['scheduled', 'forced'] as const),
    /** An amount somebody wants prices of, beside the usual ones. */
    amountMinor: p.bigint().nullable(),
    startedAt: p.datetime(),
    finishedAt: p.datetime().nullable(),
    /** Null also when the run was given up: its worker died and nobody took over. */
    results: p.json<readonly SourceResult[]>().nullable(),
  },
  indexes: [{ name: 'rate_run_started_at', properties: ['startedAt'] }],
});
export type RateRun = InferEntity<typeof RateRun>;

/** A figure that a source gave, append-only. Outliers are kept, marked, and not used. */
export const RateObservation = defineEntity({
  name: 'RateObservation',
  tableName: 'rate_observation',
  properties: {
    id: p.bigint().primary().autoincrement(),
    runId: p.uuid(),
    source: p.text().$type<RateSource>(),
    kind: p.enum(['price', 'reference'] as const),
    competitor: p.text().$type<Competitor>().nullable(),
    pair: p.enum(['USD/BOB', 'EUR/BOB', 'EUR/USD'] as const),
    /** What is sent, without the fee, in minor units of the pair's first currency. */
    amountMinor: p.bigint().nullable(),
    rate: p.bigint().$type<Rate>(),
    feeMinor: p.bigint().nullable(),
    /** SHA-256 of the answer it was read from. */
    rawHash: p.text(),
    outlier: p.boolean(),
    observedAt: p.datetime(),
  },
  indexes: [{ name: 'rate_observation_kind_pair_observed_at', properties: ['kind', 'pair', 'observedAt'] }],
});
export type RateObservation = InferEntity<typeof RateObservation>;
