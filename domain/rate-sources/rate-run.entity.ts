import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Rate } from '#core/rates/rate';
import type { Competitor, RateSource, SourceFailure } from '#core/rates/sources';

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
    results: p.json<readonly SourceResult[]>().nullable(),
    /**
     * How it ended. `abandoned`: its worker died and nobody took over. `missed`: a record that nobody was there to open
     * `missedWindows` runs between its start and its end.
     */
    outcome: p.enum(['collected', 'abandoned', 'missed'] as const).nullable(),
    missedWindows: p.integer().nullable(),
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

/** What one bank paid for a dollar on a day, from the central bank's table, append-only. */
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
