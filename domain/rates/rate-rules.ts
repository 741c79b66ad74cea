/** Configuration of how rates are kept current, proposed and changed. */
export interface RateRules {
  /** Interval of the runs, in ms: a much older figure is no reference. */
  readonly everyMs: number;
  /** Time without an update by the market or an admin after which payments in a currency pause, in ms. */
  readonly pauseAfterMs: number;
  /** Margin between the market reference and the proposed rate. */
  readonly marginBasisPoints: bigint;
  /** The largest change of a rate within a day that one admin may make alone. */
  readonly maxStepBasisPoints: bigint;
}
