import { laPazDay, minuteMs } from '../time/time.ts';
import type { Side } from './cause.ts';
import { shiftDay, startOfDay } from './days.ts';

/**
 * Balances of a source and our books at the end of a day, including all earlier days, in minor units of one currency.
 */
export interface SideTotals {
  readonly side: Side;
  readonly currency: string;
  /** Balance at the source. */
  readonly sourceMinor: bigint;
  readonly booksMinor: bigint;
  /** Timing difference: entries that are only on one side so far. */
  readonly timingMinor: bigint;
  /** Part of the difference explained by a person and not booked. */
  readonly explainedMinor: bigint;
  /** Part of the difference in open exceptions. */
  readonly openMinor: bigint;
}

/** The unexplained rest of the difference between a source and our books, after all known causes. */
export function unexplained(totals: SideTotals): bigint {
  const { sourceMinor, booksMinor, timingMinor, explainedMinor, openMinor } = totals;
  return sourceMinor - booksMinor - timingMinor - explainedMinor - openMinor;
}

/** Why a day cannot be closed. */
export const closingRefusals = {
  not_ended: 'The day has not ended in La Paz.',
  not_next: 'Another day has to be closed before.',
  closed: 'It is closed already.',
  stripe_missing: 'Stripe’s movements of the day are not all imported.',
  bank_missing: 'The bank’s statement of the day is not imported.',
  not_compared: 'The day was not compared since it ended, or since something was imported.',
  exceptions_open: 'Exceptions of the day or of days before are open.',
  not_even: 'Source and books differ by more than what is explained.',
} as const;
export type ClosingRefusal = keyof typeof closingRefusals;
export const closingRefusalNames = Object.keys(closingRefusals) as [ClosingRefusal, ...ClosingRefusal[]];

/** What decides whether a day can be closed. */
export interface ClosingFacts {
  readonly day: string;
  readonly now: Date;
  /** The last closed day, or null. */
  readonly closedUntil: string | null;
  /** The first day on which anything happened, or null. */
  readonly firstDay: string | null;
  readonly stripeUntil: Date | null;
  /** A statement of the day or of a later one was imported, or the bank neither worked nor paid on it. */
  readonly hasStatement: boolean;
  /** When it was compared last; null: never. */
  readonly comparedAt: Date | null;
  /** When anything was imported or decided last that the comparison has to know. */
  readonly changedAt: Date | null;
  /** Open exceptions of this day or earlier ones. */
  readonly openExceptions: number;
  readonly totals: readonly SideTotals[];
}

/** How long after its end everything that was written on a day is committed, or never will be (ms). */
const settledMs = 5 * minuteMs;

/** Every reason why a day cannot be closed now; none: it can. */
export function refusalsToClose(facts: ClosingFacts): ClosingRefusal[] {
  const { day, now, closedUntil, firstDay, stripeUntil, comparedAt, changedAt } = facts;
  const end = startOfDay(shiftDay(day, 1));
  const next = closedUntil === null ? firstDay : shiftDay(closedUntil, 1);
  if (closedUntil !== null && day <= closedUntil) return ['closed'];
  if (day >= laPazDay(now)) return ['not_ended'];
  const refusals: ClosingRefusal[] = [];
  if (next !== null && day !== next) refusals.push('not_next');
  if (!stripeUntil || stripeUntil < end) refusals.push('stripe_missing');
  if (!facts.hasStatement) refusals.push('bank_missing');
  if (!comparedAt || comparedAt.getTime() < end.getTime() + settledMs || (changedAt && comparedAt < changedAt))
    refusals.push('not_compared');
  if (facts.openExceptions > 0) refusals.push('exceptions_open');
  if (facts.totals.some((totals) => unexplained(totals) !== 0n)) refusals.push('not_even');
  return refusals;
}
