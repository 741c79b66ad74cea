import type { SendCurrency } from '#core/money/money';
import { dayMs } from '#core/time/time';
import { testEveryMs } from './market.ts';

// The guard-rails of rates as in the design, implemented independently to verify the product.

export const maxStepBasisPoints = 300n;
/** Dollars per euro, in millionths. */
export const eurUsd = 1_170_000n;

/** Figures so far, recorded independently of the product: by the market, in millionths, and when by the ECB, in ms. */
export interface MarketHistory {
  readonly market: { at: number; rate: bigint }[];
  /** Always the same figure. */
  readonly fixedAt: number[];
}

/** A rate that came into force, in millionths, and its approver. */
export interface RateInForce {
  id: string;
  currency: SendCurrency;
  rate: bigint;
  at: number;
  proposedBy: string;
  decidedBy: string | null;
  reason: string | null;
  guardRails: string[];
  state: string;
}

/** The rules that a rate breaks, given earlier rates: computed backwards, in fractions. */
export function brokenRules(
  { market, fixedAt }: MarketHistory,
  before: readonly RateInForce[],
  row: RateInForce,
): string[] {
  const found: string[] = [];
  const dayBegan = row.at - dayMs;
  for (const past of inForceBefore(before, row.currency).toReversed()) {
    const tooHigh = row.rate * 10_000n > past.rate * (10_000n + maxStepBasisPoints);
    const tooLow = row.rate * 10_000n < past.rate * (10_000n - maxStepBasisPoints);
    if (tooHigh || tooLow) found.push('step_too_large');
    // Approved by two people, or in force at the start of the day: earlier rates do not count.
    if (past.decidedBy !== null || past.at <= dayBegan) break;
  }
  const last = market.findLast(({ at }) => at <= row.at);
  const isMarketFresh = last !== undefined && row.at - last.at <= 1.25 * testEveryMs;
  const isFresh = isMarketFresh && (row.currency === 'USD' || !isFixingTooOld(fixedAt, row.at));
  if (!isFresh) return [...new Set([...found, 'stale_sources'])];
  const reference = row.currency === 'USD' ? last.rate : (last.rate * eurUsd) / 1_000_000n;
  return [...new Set([...found, ...(row.rate > reference ? ['above_reference'] : [])])];
}

/** A fixing is valid until three whole weekdays lie between its day and today. */
function isFixingTooOld(fixedAt: readonly number[], at: number): boolean {
  const fixed = fixedAt.findLast((moment) => moment <= at);
  if (fixed === undefined) return true;
  let weekdays = 0;
  for (let day = Math.floor(fixed / dayMs) + 1; day < Math.floor(at / dayMs); day++) {
    const weekday = new Date(day * dayMs).getUTCDay();
    if (weekday >= 1 && weekday <= 5) weekdays++;
  }
  return weekdays >= 3;
}

/** A currency's rates in order; the euro follows the dollar until it has a separate rate. */
function inForceBefore(before: readonly RateInForce[], currency: SendCurrency): RateInForce[] {
  const own = before.filter((row) => row.currency === currency);
  if (currency === 'USD') return own;
  const first = before.findIndex((row) => row.currency === 'EUR');
  const dollars = (first < 0 ? before : before.slice(0, first)).filter((row) => row.currency === 'USD');
  return [...dollars.map((row) => ({ ...row, rate: (row.rate * eurUsd) / 1_000_000n })), ...own];
}
