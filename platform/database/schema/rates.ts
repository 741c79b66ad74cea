import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { sendCurrencies } from '#core/money';
import type { Rate } from '#core/rate';

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
