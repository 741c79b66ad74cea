import { dayMs, hourMs, minuteMs } from '../time/time.ts';
import type { Cause, Explanation, Side } from './cause.ts';
import type { PriceList } from './price-list.ts';

/** The kinds of movements on either side. A `…_return` reverses one of its kind. */
export const movementKinds = [
  'charge',
  'refund',
  'refund_return',
  'dispute',
  'dispute_return',
  'payout',
  'payout_return',
  'bank_fee',
  'other',
] as const;
export type MovementKind = (typeof movementKinds)[number];

/** A movement of money at a source. Amounts are signed minor units: positive is more money of ours at that source. */
export interface Movement {
  /** Unique among the movements of its kind of record. */
  readonly id: string;
  readonly side: Side;
  readonly kind: MovementKind;
  /** The transfer it belongs to, or null. */
  readonly transferId: string | null;
  /** The source's number of it, or null when it is not known. */
  readonly reference: string | null;
  readonly amountMinor: bigint;
  readonly currency: string;
}

/** An entry of our books about a source. */
export interface BookMovement extends Movement {
  readonly at: Date;
}

/** What a source says. */
export interface SourceMovement extends Movement {
  /** The fee that the source kept, in minor units; not part of the amount. */
  readonly feeMinor: bigint;
  /** The currency of the instruction, if the source states it; the amount is in the account's currency. */
  readonly instructedCurrency: string | null;
  /** The day in La Paz on which it happened. */
  readonly happenedOn: string;
  /** The day on which it counts for us: later than it happened where that day was closed already. */
  readonly day: string;
}

/** How far each source is imported, and further known facts. */
export interface Knowledge {
  readonly now: Date;
  /** Everything that Stripe did before this moment is imported; null: nothing is. */
  readonly stripeUntil: Date | null;
  /** The last day with an imported bank statement, or null. */
  readonly bankUntil: string | null;
  /** The source's numbers of refunds that are under way. */
  readonly refundsUnderWay: ReadonlySet<string>;
  /** Null: fees are not compared. */
  readonly prices: PriceList | null;
}

/** How long an entry may be unmatched before it is an exception. */
export const limits = {
  /** Stripe lists a movement at once; our clocks may differ by this much (ms). */
  stripeListsMs: 15 * minuteMs,
  /** Webhooks, sweeps and repeated attempts bring a movement of a source into our books within this time (ms). */
  booksLearnMs: hourMs,
  /** Cards take this long at most to accept or refuse a refund (ms). */
  refundMs: 10 * dayMs,
} as const;

/** A difference that a person has to look at. */
export interface Difference {
  readonly cause: Cause;
  readonly side: Side;
  readonly transferId: string | null;
  /** Stable identity of the difference: a movement's id, and those it differs from. */
  readonly subject: string;
  readonly reference: string | null;
  /** The amount by our books or the price list, or null. */
  readonly expectedMinor: bigint | null;
  /** The amount by the source, or null. */
  readonly actualMinor: bigint | null;
  /** By how much the source has more than our books; 0 where it is not about money. */
  readonly differenceMinor: bigint;
  readonly currency: string;
  /** The day it belongs to. */
  readonly day: string;
}

/** Money that one side has on other days than the other, without being wrong: it counts from `from` on and ends before `until`. */
export interface Timing {
  readonly side: Side;
  readonly currency: string;
  readonly why: Explanation;
  /** How much more the source has than our books during that time. */
  readonly differenceMinor: bigint;
  readonly from: string;
  /** Null: it has not ended. */
  readonly until: string | null;
}

/** What comparing two sides came to. */
export interface Comparison {
  /** Pairs that agree. */
  readonly matched: number;
  readonly timings: readonly Timing[];
  readonly differences: readonly Difference[];
}
