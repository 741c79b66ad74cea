import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { fixedSides, reminderProblems } from '#core/contracts/http/repeats';
import { sendCurrencies } from '#core/money/money';
import { rhythms } from '#core/repeats/schedule';

/** A repeating transfer with reminders to its sender. It pays nothing automatically. */
export const RepeatPlan = defineEntity({
  name: 'RepeatPlan',
  tableName: 'repeat_plan',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    recipientId: p.uuid(),
    state: p.enum(['active', 'paused', 'ended'] as const),
    /** The fixed side: the card amount, or the amount received. */
    fixed: p.enum(fixedSides),
    /** Minor units of `currency`, or centavos if the amount received is fixed. */
    amountMinor: p.bigint(),
    currency: p.enum(sendCurrencies),
    every: p.enum(rhythms),
    day: p.smallint().nullable(),
    hour: p.smallint(),
    zone: p.text(),
    /** The next reminder: its day in `zone` and its time. */
    nextDay: p.date(),
    nextAt: p.datetime(),
    createdAt: p.datetime(),
    changedAt: p.datetime(),
  },
  indexes: [{ name: 'repeat_plan_user_id_created_at_id', properties: ['userId', 'createdAt', 'id'] }],
});
export type RepeatPlan = InferEntity<typeof RepeatPlan>;

/** A reminder of a plan: one per period, however often the job runs. */
export const RepeatReminder = defineEntity({
  name: 'RepeatReminder',
  tableName: 'repeat_reminder',
  properties: {
    id: p.uuid().primary(),
    planId: p.uuid(),
    userId: p.uuid(),
    /** The scheduled day, in the plan's zone. */
    period: p.date(),
    createdAt: p.datetime(),
    /** When the next one is due. */
    lapsesAt: p.datetime(),
    skippedAt: p.datetime().nullable(),
    /** What prevented the transfer when the reminder was sent. */
    problem: p.enum(reminderProblems).nullable(),
    /** Transfers opened with it, latest last. */
    transferIds: p.array<string>().default([]),
  },
  indexes: [{ name: 'repeat_reminder_user_id_created_at', properties: ['userId', 'createdAt'] }],
  uniques: [{ name: 'repeat_reminder_plan_id_period_unique', properties: ['planId', 'period'] }],
});
export type RepeatReminder = InferEntity<typeof RepeatReminder>;
