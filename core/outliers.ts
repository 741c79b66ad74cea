import type { PriceObservation, ReferenceObservation } from './rate-sources.ts';

/** Percent by which a figure may differ from the median of the other sources. */
const tolerancePercent = 8n;

/** The middle value, or the lower of the two middle ones. Null of nothing. */
export function median<Value extends bigint>(values: readonly Value[]): Value | null {
  const sorted = [...values].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}

type Comparable = PriceObservation | ReferenceObservation;

/** What two observations must have in common to be compared. */
function pairOf(observation: Comparable): string {
  return observation.kind === 'price' ? `${observation.currency}/BOB` : observation.pair;
}

/**
 * Which observations of one run differ by more than 8 % from the median of the other sources, each source having one vote
 * per pair. With fewer than two other sources nobody can tell, and nothing is marked.
 */
export function findOutliers(observations: readonly Comparable[]): boolean[] {
  return observations.map((observation) => {
    const others = observations.filter(
      (other) => other.source !== observation.source && pairOf(other) === pairOf(observation),
    );
    const bySource = Map.groupBy(others, (other) => other.source);
    const votes = [...bySource.values()].map((ofSource) => median(ofSource.map(({ rate }) => rate)) as bigint);
    if (votes.length < 2) return false;
    // Of an even number of others both middle ones count: one of two that disagree may be the one who is wrong.
    const low = median(votes) as bigint;
    const high = -(median(votes.map((vote) => -vote)) as bigint);
    const rate = observation.rate * 100n;
    return rate > high * (100n + tolerancePercent) || rate < low * (100n - tolerancePercent);
  });
}
