/** How rates are kept current, proposed and changed: a part of the configuration. */
export interface RateRules {
  /** How often sources are asked, in ms: a figure that is much older is no reference. */
  readonly everyMs: number;
  /** After how long without an update from the market or an admin payments in a currency pause, in ms. */
  readonly pauseAfterMs: number;
  /** How far below the market reference the proposed rate lies. */
  readonly marginBasisPoints: bigint;
  /** The largest change of a rate, within a day, that one admin may make alone. */
  readonly maxStepBasisPoints: bigint;
}
