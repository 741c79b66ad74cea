import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { sendCurrencies } from '#core/money/money';
import type { GuardRail } from '#core/rates/guard-rails';
import type { Rate } from '#core/rates/rate';

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
    /** The change that put it in force; null for those set before changes were recorded. */
    changeId: p.bigint().nullable(),
  },
  indexes: [{ name: 'rate_currency_id', properties: ['currency', 'id'] }],
});
export type RateEntry = InferEntity<typeof RateEntry>;

/** A request to set a rate, with its reason, the guard-rails it hit and its approver. */
export const RateChange = defineEntity({
  name: 'RateChange',
  tableName: 'rate_change',
  properties: {
    id: p.bigint().primary().autoincrement(),
    currency: p.enum(sendCurrencies),
    rate: p.bigint().$type<Rate>(),
    /** The rate in force when it was requested. */
    previousRate: p.bigint().$type<Rate>().nullable(),
    state: p.enum(['awaiting_confirmation', 'scheduled', 'activated', 'declined', 'cancelled', 'expired'] as const),
    proposedById: p.uuid(),
    proposedAt: p.datetime(),
    /** Since when it awaits, or last awaited, a second person. */
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

/** A period in which a currency's rate was stale and payments in it were rejected. */
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

/** A sender's request to be notified when a rate reaches a value. */
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
