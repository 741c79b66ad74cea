import { divide } from '../money/money.ts';
import { dayMs } from '../time/time.ts';
import { maxRate, type Rate } from './rate.ts';

/** Reasons why a second person has to agree before a rate is put in force. */
export const guardRails = ['step_too_large', 'above_reference', 'stale_sources'] as const;
export type GuardRail = (typeof guardRails)[number];

/** How long a change waits for a second person, in ms. */
export const confirmationMs = dayMs;

/** How far ahead a change may be scheduled, in ms. */
export const scheduleMsMax = 30 * dayMs;

/** Ten thousand basis points are the whole. */
const whole = 10_000n;

/** Millionths in the second decimal, the last one that an admin enters. */
const cent = 10_000n;

/** A rate that was in force, and whether two persons had agreed on it. */
export interface PastRate {
  readonly rate: Rate;
  readonly agreedByTwo: boolean;
}

/**
 * The guard-rails that a new rate hits. `lastDay` are the rates in force during the last 24 hours, newest last,
 * including the one in force at their start. The new rate is compared with each of them, so that many small steps
 * cannot add up to a large one, but only back to the newest one approved by two persons, from which one person may
 * continue. `reference` is the market rate, null without a fresh source. A step of exactly the limit, or a rate equal
 * to the reference, hits nothing.
 */
export function hitGuardRails(input: {
  rate: Rate;
  lastDay: readonly PastRate[];
  reference: Rate | null;
  maxStepBasisPoints: bigint;
}): GuardRail[] {
  const { rate, lastDay, reference, maxStepBasisPoints } = input;
  const agreed = lastDay.findLastIndex(({ agreedByTwo }) => agreedByTwo);
  const compared = lastDay.slice(Math.max(agreed, 0));
  const hit: GuardRail[] = [];
  if (compared.some((past) => isStepTooLarge(past.rate, rate, maxStepBasisPoints))) hit.push('step_too_large');
  if (reference === null) hit.push('stale_sources');
  else if (rate > reference) hit.push('above_reference');
  return hit;
}

function isStepTooLarge(from: Rate, to: Rate, maxBasisPoints: bigint): boolean {
  const step = to > from ? to - from : from - to;
  return step * whole > from * maxBasisPoints;
}

/**
 * The rate we would set: the reference less our margin, with the two decimals that an admin enters, rounded down. Null when
 * nothing is left of it.
 */
export function proposeRate(reference: Rate, marginBasisPoints: bigint): Rate | null {
  const rate = divide(reference * (whole - marginBasisPoints), whole * cent, 'down') * cent;
  return rate > 0n && rate <= maxRate ? (rate as Rate) : null;
}
