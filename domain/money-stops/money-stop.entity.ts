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
    /** The reason of the admin who set it; null: set by the system. */
    reason: p.text().nullable(),
    /** The system's cause; null: set by an admin. */
    cause: p.text().$type<StopCause>().nullable(),
    /** Null: the system. */
    setById: p.uuid().nullable(),
    setAt: p.datetime(),
    /** The first of the two people who lift it; null without a lift request. */
    liftRequestedById: p.uuid().nullable(),
    liftRequestedAt: p.datetime().nullable(),
    liftReason: p.text().nullable(),
    /** The second one; the database rejects the first one. */
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
