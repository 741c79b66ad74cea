import type { SendCurrency } from '#core/money/money';
import { dayMs } from '#core/time/time';
import { testEveryMs } from './market.ts';

// The guard-rails of rates as they stand in the design, worked out a second time and in another way, to hold the product against.

export const maxStepBasisPoints = 300n;
/** Dollars per euro, in millionths. */
export const eurUsd = 1_170_000n;

/** What was said so far, kept apart from the product: what by the market, in millionths, and when by the ECB, in ms. */
export interface SaidSoFar {
  readonly market: { at: number; rate: bigint }[];
  /** Always the same figure. */
  readonly fixedAt: number[];
}

/** A rate that came into force, in millionths, and who agreed on it. */
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

/** Which rules a rate breaks, given those before it: worked out from the end to the beginning, in fractions. */
export function brokenRules(
  { market, fixedAt }: SaidSoFar,
  before: readonly RateInForce[],
  row: RateInForce,
): string[] {
  const found: string[] = [];
  const dayBegan = row.at - dayMs;
  for (const past of inForceBefore(before, row.currency).toReversed()) {
    const tooHigh = row.rate * 10_000n > past.rate * (10_000n + maxStepBasisPoints);
    const tooLow = row.rate * 10_000n < past.rate * (10_000n - maxStepBasisPoints);
    if (tooHigh || tooLow) found.push('step_too_large');
    // Agreed on by two, or in force when the day began: what was before it does not count.
    if (past.decidedBy !== null || past.at <= dayBegan) break;
  }
  const last = market.findLast(({ at }) => at <= row.at);
  const isMarketFresh = last !== undefined && row.at - last.at <= 1.25 * testEveryMs;
  const isFresh = isMarketFresh && (row.currency === 'USD' || !isFixingTooOld(fixedAt, row.at));
  if (!isFresh) return [...new Set([...found, 'stale_sources'])];
  const reference = row.currency === 'USD' ? last.rate : (last.rate * eurUsd) / 1_000_000n;
  return [...new Set([...found, ...(row.rate > reference ? ['above_reference'] : [])])];
}

/** A fixing may be used until three whole weekdays lie between its day and today. */
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

/** A currency's rates in their order; the euro follows the dollar until it has its own. */
function inForceBefore(before: readonly RateInForce[], currency: SendCurrency): RateInForce[] {
  const own = before.filter((row) => row.currency === currency);
  if (currency === 'USD') return own;
  const first = before.findIndex((row) => row.currency === 'EUR');
  const dollars = (first < 0 ? before : before.slice(0, first)).filter((row) => row.currency === 'USD');
  return [...dollars.map((row) => ({ ...row, rate: (row.rate * eurUsd) / 1_000_000n })), ...own];
}
