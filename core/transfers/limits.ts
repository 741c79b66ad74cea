import { type Tier, tiers } from '../accounts/tiers.ts';
import type { FailureCode } from '../contracts/failure-codes.ts';
import type { SendCurrency } from '../money/money.ts';
import { convert, convertBack, type Rate } from '../rates/rate.ts';
import { dayMs, latest } from '../time/time.ts';

/** Minimum of one transfer, in minor units of either currency (specification, section 9). */
export const minimumMinor = 1_000n;
/** Maximum of one transfer, in US cents; in euros the equivalent (specification, section 9). */
export const maximumUsdMinor = 300_000n;

/** What a sender may pay in a rolling window of 24 hours and of 30 days, in US cents. */
export interface WindowLimits {
  readonly dayUsdMinor: bigint;
  readonly monthUsdMinor: bigint;
}

/** The same, with the maximum of one payment. */
export interface TierLimits extends WindowLimits {
  readonly paymentUsdMinor: bigint;
}

/**
 * The limits of people with a known document, and in `lower` those of the tiers below; a missing tier inherits the next
 * one's limits.
 */
export interface TieredLimits extends WindowLimits {
  readonly lower?: Readonly<Partial<Record<Exclude<Tier, 'document'>, TierLimits>>>;
}

/** Sending limits for a verification tier. A lower tier never has more than a higher one. */
export function limitsOfTier({ dayUsdMinor, monthUsdMinor, lower }: TieredLimits, tier: Tier): TierLimits {
  const all = { paymentUsdMinor: maximumUsdMinor, dayUsdMinor, monthUsdMinor };
  if (!lower || tier === 'document') return all;
  const above = tier === 'email' ? limitsOfTier({ dayUsdMinor, monthUsdMinor, lower }, 'identity') : all;
  const own = lower[tier] ?? above;
  const least = (name: keyof TierLimits) => {
    if (own[name] > above[name]) return above[name];
    return own[name];
  };
  return {
    paymentUsdMinor: least('paymentUsdMinor'),
    dayUsdMinor: least('dayUsdMinor'),
    monthUsdMinor: least('monthUsdMinor'),
  };
}

/** The limit that a refusal is about, in US cents. */
export function limitOf(broken: OwnLimitRefusal, limits: TierLimits): bigint {
  if (broken === 'amount_too_large') return limits.paymentUsdMinor;
  return broken === 'day_limit_reached' ? limits.dayUsdMinor : limits.monthUsdMinor;
}

/** The limits of every tier. */
export type LimitsByTier = Readonly<Record<Tier, TierLimits>>;

/** What each tier allows. */
export function limitsByTier(limits: TieredLimits): LimitsByTier {
  return {
    email: limitsOfTier(limits, 'email'),
    identity: limitsOfTier(limits, 'identity'),
    document: limitsOfTier(limits, 'document'),
  };
}

/**
 * The nearest tier above `tier` that allows an amount in US cents, or else the highest whose limit is higher than the one that was broken, with
 * that limit in US cents; null: none has. `sent` are the sender's totals before it.
 */
export function nextTier(
  broken: OwnLimitRefusal,
  limits: LimitsByTier,
  tier: Tier,
  { usdMinor, sent }: { usdMinor: bigint; sent: SentBefore },
): { tier: Exclude<Tier, 'email'>; limitUsdMinor: bigint } | null {
  const higher = (['identity', 'document'] as const).filter(
    (one) => tiers.indexOf(one) > tiers.indexOf(tier) && limitOf(broken, limits[one]) > limitOf(broken, limits[tier]),
  );
  const next = higher.find((one) => ownLimitBroken(usdMinor, limits[one], sent) === null) ?? higher.at(-1);
  return next ? { tier: next, limitUsdMinor: limitOf(broken, limits[next]) } : null;
}

/** A sender's limits, with how many transfers may wait for their payment. */
export interface SendingLimits extends TieredLimits {
  readonly unpaidTransfers: number;
}

/** Value of an amount in US cents, rounded up, so that limits are never passed by rounding. */
export function toUsdMinor(minor: bigint, currency: SendCurrency, eurUsd: Rate): bigint {
  return currency === 'USD' ? minor : convert(minor, eurUsd, 'up');
}

/** The largest single transfer in minor units of the given currency; `maxUsdMinor`: the sender's own, in US cents. */
export function maximumMinor(currency: SendCurrency, eurUsd: Rate, maxUsdMinor = maximumUsdMinor): bigint {
  return currency === 'USD' ? maxUsdMinor : convertBack(maxUsdMinor, eurUsd, 'down');
}

type AmountRefusal = Extract<FailureCode, 'amount_too_small' | 'amount_too_large'>;
type WindowRefusal = Extract<FailureCode, 'day_limit_reached' | 'month_limit_reached'>;
/** Which limit an amount breaks. */
export type LimitRefusal = AmountRefusal | WindowRefusal;
/** Which of the sender's own limits it breaks. */
export type OwnLimitRefusal = Exclude<LimitRefusal, 'amount_too_small'>;
/** A sender's totals of 24 hours and of 30 days before a transfer, in US cents. */
export interface SentBefore {
  readonly dayUsdMinor: bigint;
  readonly monthUsdMinor: bigint;
}

/** The limit that an amount exceeds, or null. `sent` are the sender's totals in US cents before this transfer. */
export function limitBroken(
  amount: { minor: bigint; currency: SendCurrency },
  eurUsd: Rate,
  limits: TierLimits,
  sent: SentBefore,
): LimitRefusal | null {
  if (amount.minor < minimumMinor) return 'amount_too_small';
  if (amount.minor > maximumMinor(amount.currency, eurUsd, limits.paymentUsdMinor)) return 'amount_too_large';
  return windowBroken(toUsdMinor(amount.minor, amount.currency, eurUsd), limits, sent);
}

/** The limit of a sender that an amount in US cents breaks, or null. `sent` are the sender's totals before it. */
export function ownLimitBroken(usdMinor: bigint, limits: TierLimits, sent: SentBefore): OwnLimitRefusal | null {
  return usdMinor > limits.paymentUsdMinor ? 'amount_too_large' : windowBroken(usdMinor, limits, sent);
}

/** The rolling limit that an amount in US cents breaks, or null. `sent` are the sender's totals before it. */
export function windowBroken(usdMinor: bigint, limits: WindowLimits, sent: SentBefore): WindowRefusal | null {
  if (sent.dayUsdMinor + usdMinor > limits.dayUsdMinor) return 'day_limit_reached';
  if (sent.monthUsdMinor + usdMinor > limits.monthUsdMinor) return 'month_limit_reached';
  return null;
}

/** How long a payment counts towards the limits of a day and of a month, in ms. */
export const limitWindowsMs = { day: dayMs, month: 30 * dayMs } as const;

/** A payment that counts towards the limits. */
export interface CountedPayment {
  readonly paidAt: Date;
  readonly usdMinor: bigint;
}

/** What fits under the rolling limits now, and from when an amount fits. */
export interface LimitsLeft {
  readonly leftUsdMinor: bigint;
  /** Assumes no other payments until then; null for an amount that exceeds a limit by itself. */
  readonly availableAt: Date | null;
}

/** Compares an amount in US cents with the rolling limits, given the payments of the last 30 days, oldest first. */
export function limitsLeft(
  usdMinor: bigint,
  limits: WindowLimits,
  payments: readonly CountedPayment[],
  at: Date,
): LimitsLeft {
  const day = windowLeft(usdMinor, { limit: limits.dayUsdMinor, lengthMs: limitWindowsMs.day }, payments, at);
  const month = windowLeft(usdMinor, { limit: limits.monthUsdMinor, lengthMs: limitWindowsMs.month }, payments, at);
  const { leftUsdMinor } = day.leftUsdMinor < month.leftUsdMinor ? day : month;
  const availableAt = day.availableAt && month.availableAt && latest(day.availableAt, month.availableAt);
  return { leftUsdMinor, availableAt };
}

function windowLeft(
  usdMinor: bigint,
  { limit, lengthMs }: { limit: bigint; lengthMs: number },
  payments: readonly CountedPayment[],
  at: Date,
): LimitsLeft {
  const leaves = ({ paidAt }: CountedPayment) => new Date(paidAt.getTime() + lengthMs);
  const counted = payments.filter((payment) => leaves(payment) > at);
  let sent = counted.reduce((sum, payment) => sum + payment.usdMinor, 0n);
  const leftUsdMinor = sent < limit ? limit - sent : 0n;
  if (usdMinor > limit) return { leftUsdMinor, availableAt: null };
  let availableAt = at;
  for (const payment of counted) {
    if (sent + usdMinor <= limit) break;
    sent -= payment.usdMinor;
    availableAt = leaves(payment);
  }
  return { leftUsdMinor, availableAt };
}
