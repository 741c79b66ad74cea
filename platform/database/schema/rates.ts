import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { sendCurrencies } from '#core/money';
import type { Rate } from '#core/rate';
import type { GuardRail } from '#core/rate-guard';
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
    /** The change that put it in force; null for those set before changes were kept. */
    changeId: p.bigint().nullable(),
  },
  indexes: [{ name: 'rate_currency_id', properties: ['currency', 'id'] }],
});
export type RateEntry = InferEntity<typeof RateEntry>;

/** A wish to set a rate, with its reason, its guard-rails and who agreed. */
export const RateChange = defineEntity({
  name: 'RateChange',
  tableName: 'rate_change',
  properties: {
    id: p.bigint().primary().autoincrement(),
    currency: p.enum(sendCurrencies),
    rate: p.bigint().$type<Rate>(),
    /** In force when it was asked for. */
    previousRate: p.bigint().$type<Rate>().nullable(),
    state: p.enum(['awaiting_confirmation', 'scheduled', 'activated', 'declined', 'cancelled', 'expired'] as const),
    proposedById: p.uuid(),
    proposedAt: p.datetime(),
    /** Since when it waits, or last waited, for a second person. */
    awaitingSince: p.datetime().nullable(),
    reason: p.text().nullable(),
    guardRails: p.array<GuardRail>(),
    decidedById: p.uuid().nullable(),
    decidedAt: p.datetime().nullable(),
    activateAt: p.datetime().nullable(),
    activatedAt: p.datetime().nullable(),
  },
  indexes: [{ name: 'rate_change_currency_id', properties: ['currency', 'id'] }],
});
export type RateChange = InferEntity<typeof RateChange>;

/** A time during which nothing recent was known of a currency's rate, and nobody could pay in it. */
export const RatePause = defineEntity({
  name: 'RatePause',
  tableName: 'rate_pause',
  properties: {
    id: p.bigint().primary().autoincrement(),
    currency: p.enum(sendCurrencies),
    pausedAt: p.datetime(),
    resumedAt: p.datetime().nullable(),
  },
});
export type RatePause = InferEntity<typeof RatePause>;

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

/** A sender waits for a rate. */
export const RateAlert = defineEntity({
  name: 'RateAlert',
  tableName: 'rate_alert',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    currency: p.enum(sendCurrencies),
    rate: p.bigint().$type<Rate>(),
    createdAt: p.datetime(),
    firedAt: p.datetime().nullable(),
    firedRate: p.bigint().$type<Rate>().nullable(),
  },
});
export type RateAlert = InferEntity<typeof RateAlert>;
