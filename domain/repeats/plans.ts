import { Failure } from '#core/contracts/failures';
import { maxRepeats, type RepeatRequest } from '#core/contracts/http/repeats';
import { invalidInput } from '#core/contracts/invalid-input';
import type { FeeSchedule } from '#core/money/fee';
import { farthestStartDays, firstAfter, following, type Occurrence } from '#core/repeats/schedule';
import { dayMs } from '#core/time/time';
import { limitBroken, limitsOfTier } from '#core/transfers/limits';
import { amountDelivering } from '#core/transfers/quote';
import type { EntityManager } from '#platform/database/database';
import { addPush } from '#platform/outbox/outbox';
import { lockUser } from '../accounts/account.repository.ts';
import { type CurrentRates, ratesInForce } from '../rates/current-rates.ts';
import { findRecipient } from '../recipients/recipient.repository.ts';
import { limitFailure } from '../transfers/limit-failure.ts';
import { findTransfersById } from '../transfers/transfer.repository.ts';
import {
  findAllPlans,
  findPlan,
  findPlanOf,
  findReminder,
  findReminderOf,
  insertPlan,
  insertReminder,
  type RepeatPlan,
} from './repeat.repository.ts';
import { reminderState } from './repeat-views.ts';

// A sender's actions on repeating transfers. Each takes the lock of the account, like the reminder job and every new
// payment, so that they run one after the other.

/** Rules for the amount of a plan. */
export interface RepeatRules {
  readonly fee: FeeSchedule;
  readonly rates: { readonly pauseAfterMs: number };
}

/** A sender's own plan, and the time of the change. */
interface Own {
  readonly userId: string;
  readonly id: string;
  readonly at: Date;
}

/**
 * Creates a repeating transfer with reminders. An identical one is returned instead of a new one.
 * @throws Failure `not_found` for another user's recipient, `rate_unavailable`, `amount_too_small`, `amount_too_large`,
 * `too_many_repeats`, `invalid_input`.
 */
export async function createRepeat(
  em: EntityManager,
  rules: RepeatRules,
  { userId, request, at }: { userId: string; request: RepeatRequest; at: Date },
): Promise<RepeatPlan> {
  await lockUser(em, userId);
  const next = await check(em, rules, { userId, request, at });
  const plans = await findAllPlans(em, userId);
  const same = plans.find((plan) => plan.state === 'active' && isSame(plan, request, next));
  if (same) return same;
  if (plans.length >= maxRepeats) throw new Failure('too_many_repeats', { most: maxRepeats });
  const plan = await insertPlan(em, { userId, request, next, at });
  addPush(em, 'repeats-changed', { userId });
  return plan;
}

/** Changes a plan, resuming a paused one. @throws Failure as `createRepeat`, and `not_found`. */
export async function changeRepeat(
  em: EntityManager,
  rules: RepeatRules,
  { userId, id, request, at }: Own & { request: RepeatRequest },
): Promise<RepeatPlan> {
  await lockUser(em, userId);
  const plan = await findPlan(em, userId, id);
  const next = await check(em, rules, { userId, request, at });
  const { from: _counted, ...what } = request;
  Object.assign(plan, what, { state: 'active' });
  // A reminder already sent for this period stays: the next one is for another period.
  await goOnFrom(em, plan, next);
  return touch(em, plan, at);
}

/** Pauses a plan, or resumes it from the next occurrence on. @throws Failure `not_found`. */
export async function pauseRepeat(
  em: EntityManager,
  { userId, id, paused, at }: Own & { paused: boolean },
): Promise<RepeatPlan> {
  await lockUser(em, userId);
  const plan = await findPlan(em, userId, id);
  if ((plan.state === 'paused') === paused) return plan;
  plan.state = paused ? 'paused' : 'active';
  if (!paused) await goOnFrom(em, plan, firstAfter(plan, at, plan.nextDay));
  return touch(em, plan, at);
}

/** Ends a plan. @throws Failure `not_found`. */
export async function endRepeat(em: EntityManager, { userId, id, at }: Own): Promise<void> {
  await lockUser(em, userId);
  const plan = await findPlan(em, userId, id);
  plan.state = 'ended';
  await touch(em, plan, at);
}

/**
 * Skips a period: that of a reminder, or the next one. A period already skipped or paid is not changed.
 * @throws Failure `not_found`.
 */
export async function skipRepeat(
  em: EntityManager,
  { userId, id, period, at }: Own & { period: string },
): Promise<RepeatPlan> {
  await lockUser(em, userId);
  const plan = await findPlan(em, userId, id);
  const reminder = await findReminderOf(em, id, period);
  if (reminder) {
    reminder.skippedAt ??= at;
    return touch(em, plan, at);
  }
  if (period !== plan.nextDay) throw new Failure('not_found');
  const next = following(plan, period);
  await insertReminder(em, plan, { period, lapsesAt: next.at, problem: null, skippedAt: at, at });
  await goOnFrom(em, plan, next);
  return touch(em, plan, at);
}

/**
 * Rejects a reminder that was paid or has lapsed, so that a second tap does not send twice. The caller holds the lock
 * of the account.
 * @throws Failure `not_found`, `reminder_closed`.
 */
export async function refuseClosed(
  em: EntityManager,
  { userId, reminderId, at }: { userId: string; reminderId: string; at: Date },
): Promise<void> {
  const reminder = await findReminder(em, userId, reminderId);
  const transfers = await findTransfersById(em, reminder.transferIds);
  if (reminderState(reminder, await findPlanOf(em, reminder), transfers, at) !== 'open')
    throw new Failure('reminder_closed');
}

/** Records a transfer that was opened with a reminder, after `refuseClosed`. */
export async function noteAnswer(
  em: EntityManager,
  { userId, reminderId, transferId }: { userId: string; reminderId: string; transferId: string },
): Promise<void> {
  const reminder = await findReminder(em, userId, reminderId);
  reminder.transferIds = [...reminder.transferIds, transferId];
  await em.flush();
}

/** Validates a plan at today's rates; returns when the first reminder is due. */
async function check(
  em: EntityManager,
  { fee, rates: rules }: RepeatRules,
  { userId, request, at }: { userId: string; request: RepeatRequest; at: Date },
): Promise<Occurrence> {
  await findRecipient(em, userId, request.recipientId);
  const rates = await ratesInForce(em, rules, at);
  const { currency } = request;
  const minor = amountToPay(request, rates, fee);
  const windows = { dayUsdMinor: 10n ** 18n, monthUsdMinor: 10n ** 18n };
  // Verification for a higher tier is only required at the payment.
  const unlimited = limitsOfTier(windows, 'document');
  const sent = { dayUsdMinor: 0n, monthUsdMinor: 0n };
  const broken = limitBroken({ minor, currency }, rates.eurUsd, unlimited, sent);
  if (broken)
    throw await limitFailure(em, broken, {
      ...{ userId, usdMinor: 0n, currency, eurUsd: rates.eurUsd, tier: 'document', limits: windows, sent, at },
    });
  if (request.from && Date.parse(request.from) > at.getTime() + farthestStartDays * dayMs)
    throw invalidInput({ from: 'start_out_of_range' });
  return firstAfter(request, at, request.from ?? undefined);
}

/** The card amount of a plan at given rates, in minor units. */
export function amountToPay(
  { fixed, amountMinor, currency }: Pick<RepeatPlan, 'fixed' | 'amountMinor' | 'currency'>,
  rates: Pick<CurrentRates, 'USD' | 'EUR'>,
  fee: FeeSchedule,
): bigint {
  return fixed === 'pay' ? amountMinor : amountDelivering(amountMinor, { rate: rates[currency].rate, fee });
}

function isSame(plan: RepeatPlan, { from: _counted, ...what }: RepeatRequest, next: Occurrence): boolean {
  const names = Object.keys(what) as (keyof typeof what)[];
  return plan.nextDay === next.day && names.every((name) => plan[name] === what[name]);
}

/** Sets the next occurrence: a period that already had a reminder, or was skipped, gets no second one. */
async function goOnFrom(em: EntityManager, plan: RepeatPlan, first: Occurrence): Promise<void> {
  let next = first;
  while (await findReminderOf(em, plan.id, next.day)) next = following(plan, next.day);
  plan.nextDay = next.day;
  plan.nextAt = next.at;
}

async function touch(em: EntityManager, plan: RepeatPlan, at: Date): Promise<RepeatPlan> {
  plan.changedAt = at;
  addPush(em, 'repeats-changed', { userId: plan.userId });
  await em.flush();
  return plan;
}
