import { type Rate, ratio } from './rate.ts';
import type { PriceObservation, RatePair, RateSource, ReferenceObservation } from './sources.ts';

/** Percent by which a figure may differ from the median of the other sources. */
const tolerancePercent = 8n;

/** The middle value, or the lower of the two middle ones. Null of nothing. */
export function median<Value extends bigint>(values: readonly Value[]): Value | null {
  const sorted = [...values].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}

type Comparable = PriceObservation | ReferenceObservation;
type Votes = ReadonlyMap<RateSource, Rate>;

/** What two observations must have in common to be compared. */
function pairOf(observation: Comparable): RatePair {
  return observation.kind === 'price' ? `${observation.currency}/BOB` : observation.pair;
}

/**
 * Which observations of one run differ by more than 8 % from the median of the other sources, each source having one
 * vote per pair. With fewer than two other sources nothing can be judged, and nothing is marked.
 */
export function findOutliers(observations: readonly Comparable[]): boolean[] {
  const votes = votesOf(observations);
  return observations.map((observation) => {
    const others = [...votes[pairOf(observation)]].flatMap(([source, vote]) =>
      source === observation.source ? [] : [vote],
    );
    if (others.length < 2) return false;
    // With an even number of others both middle values count, because either of two that disagree may be wrong.
    const low = median(others) as bigint;
    const high = -(median(others.map((vote) => -vote)) as bigint);
    const rate = observation.rate * 100n;
    return rate > high * (100n + tolerancePercent) || rate < low * (100n - tolerancePercent);
  });
}

/**
 * A source with both euros and dollars in bolivianos also votes on dollars per euro: only one source gives that pair
 * directly, and payments depend on it while the euro has no rate in bolivianos.
 */
function votesOf(observations: readonly Comparable[]): Readonly<Record<RatePair, Votes>> {
  const dollars = medians(observations, 'USD/BOB');
  const euros = medians(observations, 'EUR/BOB');
  const crosses = [...euros].flatMap(([source, euro]) => {
    const dollar = dollars.get(source);
    return dollar ? [[source, ratio(euro, dollar)] as const] : [];
  });
  return {
    'USD/BOB': dollars,
    'EUR/BOB': euros,
    'EUR/USD': new Map([...crosses, ...medians(observations, 'EUR/USD')]),
  };
}

function medians(observations: readonly Comparable[], pair: RatePair): Votes {
  const ofPair = observations.filter((observation) => pairOf(observation) === pair);
  const bySource = Map.groupBy(ofPair, ({ source }): RateSource => source);
  return new Map([...bySource].map(([source, own]) => [source, median(own.map(({ rate }) => rate)) as Rate]));
}
