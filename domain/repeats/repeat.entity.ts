import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { fixedSides, reminderProblems } from '#core/contracts/http/repeats';
import { sendCurrencies } from '#core/money/money';
import { rhythms } from '#core/repeats/schedule';

/** A transfer that its sender is reminded of. It pays nothing by itself. */
export const RepeatPlan = defineEntity({
  name: 'RepeatPlan',
  tableName: 'repeat_plan',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    recipientId: p.uuid(),
    state: p.enum(['active', 'paused', 'ended'] as const),
    /** What is the same each time: what the card pays, or what arrives. */
    fixed: p.enum(fixedSides),
    /** Minor units of `currency`, or centavos where what arrives is fixed. */
    amountMinor: p.bigint(),
    currency: p.enum(sendCurrencies),
    every: p.enum(rhythms),
    day: p.smallint().nullable(),
    hour: p.smallint(),
    zone: p.text(),
    /** The next reminder: its day in `zone` and its moment. */
    nextDay: p.date(),
    nextAt: p.datetime(),
    createdAt: p.datetime(),
    changedAt: p.datetime(),
  },
  indexes: [{ name: 'repeat_plan_user_id_created_at_id', properties: ['userId', 'createdAt', 'id'] }],
});
export type RepeatPlan = InferEntity<typeof RepeatPlan>;

/** One reminder of a plan: one for each period, however often the job runs. */
export const RepeatReminder = defineEntity({
  name: 'RepeatReminder',
  tableName: 'repeat_reminder',
  properties: {
    id: p.uuid().primary(),
    planId: p.uuid(),
    userId: p.uuid(),
    /** The day it is about, in the plan's zone. */
    period: p.date(),
    createdAt: p.datetime(),
    /** When the next one comes. */
    lapsesAt: p.datetime(),
    skippedAt: p.datetime().nullable(),
    /** What kept the transfer from being made when it was sent. */
    problem: p.enum(reminderProblems).nullable(),
    /** Transfers that were opened with it, the last one at the end. */
    transferIds: p.array<string>().default([]),
  },
  indexes: [{ name: 'repeat_reminder_user_id_created_at', properties: ['userId', 'createdAt'] }],
  uniques: [{ name: 'repeat_reminder_plan_id_period_unique', properties: ['planId', 'period'] }],
});
export type RepeatReminder = InferEntity<typeof RepeatReminder>;
