import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { type PayoutRail, type StopCause, stopScopeNames } from '#core/money-stops/money-stop';

/** A stop of captures, payouts or both. Never deleted: the database keeps who set and lifted it. */
export const MoneyStop = defineEntity({
  name: 'MoneyStop',
  tableName: 'money_stop',
  properties: {
    id: p.uuid().primary(),
    version: p.integer(),
    scope: p.enum(stopScopeNames),
    /** Of payouts only; null: every rail. */
    rail: p.text().$type<PayoutRail>().nullable(),
    /** Why a person set it; null when the system did. */
    reason: p.text().nullable(),
    /** Why the system set it; null when a person did. */
    cause: p.text().$type<StopCause>().nullable(),
    /** Null: the system. */
    setById: p.uuid().nullable(),
    setAt: p.datetime(),
    /** The first of the two people who lift it; null while no lift is requested. */
    liftRequestedById: p.uuid().nullable(),
    liftRequestedAt: p.datetime().nullable(),
    liftReason: p.text().nullable(),
    /** The second one: never the first, or the database refuses. */
    liftedById: p.uuid().nullable(),
    /** Null while it is active. */
    liftedAt: p.datetime().nullable(),
  },
  indexes: [
    {
      name: 'money_stop_active',
      expression: `create unique index money_stop_active on money_stop (scope, coalesce(rail, '')) where lifted_at is null`,
    },
  ],
});
export type MoneyStop = InferEntity<typeof MoneyStop>;
