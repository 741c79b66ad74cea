import type { FailureCode } from '../contracts/failures.ts';
import type { SendCurrency } from '../money/money.ts';
import { convert, convertBack, type Rate } from '../rates/rate.ts';

/** Least a sender can pay in one transfer, in minor units of either currency (specification, section 9). */
export const minimumMinor = 1_000n;
/** Most a sender can pay in one transfer, in US cents; in euros the equivalent (specification, section 9). */
export const maximumUsdMinor = 300_000n;

/** What a sender may pay in a rolling window of 24 hours and of 30 days, in US cents. */
export interface WindowLimits {
  readonly dayUsdMinor: bigint;
  readonly monthUsdMinor: bigint;
}

/** A sender's limits, with how many transfers may wait for their payment. */
export interface SendingLimits extends WindowLimits {
  readonly unpaidTransfers: number;
}

/** Value of an amount in US cents, rounded up, so that limits are never passed by rounding. */
export function toUsdMinor(minor: bigint, currency: SendCurrency, eurUsd: Rate): bigint {
  return currency === 'USD' ? minor : convert(minor, eurUsd, 'up');
}

/** The largest single transfer in minor units of the given currency. */
export function maximumMinor(currency: SendCurrency, eurUsd: Rate): bigint {
  return currency === 'USD' ? maximumUsdMinor : convertBack(maximumUsdMinor, eurUsd, 'down');
}

/** What an amount breaks, or null. `sent` are the sender's totals in US cents before this transfer. */
export function limitBroken(
  amount: { minor: bigint; currency: SendCurrency },
  eurUsd: Rate,
  limits: WindowLimits,
  sent: { dayUsdMinor: bigint; monthUsdMinor: bigint },
): FailureCode | null {
  if (amount.minor < minimumMinor) return 'amount_too_small';
  if (amount.minor > maximumMinor(amount.currency, eurUsd)) return 'amount_too_large';
  return windowBroken(toUsdMinor(amount.minor, amount.currency, eurUsd), limits, sent);
}

/** The rolling limit that an amount in US cents breaks, or null. `sent` are the sender's totals before it. */
export function windowBroken(
  usdMinor: bigint,
  limits: WindowLimits,
  sent: { dayUsdMinor: bigint; monthUsdMinor: bigint },
): 'day_limit_reached' | 'month_limit_reached' | null {
  if (sent.dayUsdMinor + usdMinor > limits.dayUsdMinor) return 'day_limit_reached';
  if (sent.monthUsdMinor + usdMinor > limits.monthUsdMinor) return 'month_limit_reached';
  return null;
}
