import { type FeeSchedule, feeOn } from '../money/fee.ts';
import type { SendCurrency } from '../money/money.ts';
import { percentChange } from '../money/percent.ts';
import { convert, type Rate } from '../rates/rate.ts';
import { type Competitor, competitors, type PriceSource } from '../rates/sources.ts';

/** How much a figure can be trusted; the contract's `freshness` says what each means. */
export type Freshness = 'live' | 'older' | 'reference';

/** A stored price of a competitor that is not an outlier. */
export interface KnownPrice {
  readonly source: PriceSource;
  readonly competitor: Competitor;
  readonly amountMinor: bigint;
  readonly rate: Rate;
  readonly feeMinor: bigint;
  readonly observedAt: Date;
}

/** The price a competitor is shown with. */
export interface ShownPrice {
  readonly competitor: Competitor;
  readonly rate: Rate;
  readonly feeMinor: bigint;
  readonly freshness: Freshness;
  readonly collectedAt: Date | null;
  readonly source: PriceSource | null;
}

/** A row of the comparison: what arrives when the sender pays the same total everywhere. */
export interface RankedRow {
  readonly id: 'chasqui' | Competitor;
  readonly rate: Rate;
  readonly feeMinor: bigint;
  readonly receivedMinor: bigint;
  /** 1 is the best; equal ones share a rank. */
  readonly rank: number;
  readonly freshness: Freshness;
  readonly collectedAt: Date | null;
  readonly source: PriceSource | null;
  /** Null on our own row. */
  readonly differencePercent: string | null;
}

/** Prices of the product specification (section 8) for when nothing was ever collected. Shown greyed, never claimed with. */
const referencePrices: Readonly<Record<SendCurrency, Partial<Record<Competitor, { rate: Rate; feeMinor: bigint }>>>> = {
  USD: {
    westernUnion: { rate: 7_800_000n as Rate, feeMinor: 499n },
    moneyGram: { rate: 7_700_000n as Rate, feeMinor: 399n },
  },
  EUR: {
    westernUnion: { rate: 7_100_000n as Rate, feeMinor: 462n },
    moneyGram: { rate: 7_000_000n as Rate, feeMinor: 370n },
  },
};

/** `live` until a quarter more than the interval of collecting has passed: a run takes its time, a tick may come late. */
export function freshnessAt(observedAt: Date, now: Date, everyMs: number): 'live' | 'older' {
  return now.getTime() - observedAt.getTime() <= everyMs + everyMs / 4 ? 'live' : 'older';
}

/**
 * One price per competitor: live before older, its own site before a comparison, the nearest amount, the newest. Without any
 * the specification's reference value; a competitor without even that is left out, nothing is made up.
 */
export function choosePrices(
  known: readonly KnownPrice[],
  query: { amountMinor: bigint; currency: SendCurrency; now: Date; everyMs: number },
): ShownPrice[] {
  return competitors.flatMap((competitor): ShownPrice[] => {
    const candidates = known
      .filter((price) => price.competitor === competitor)
      .map((price) => ({ price, freshness: freshnessAt(price.observedAt, query.now, query.everyMs) }));
    const [best] = candidates.sort(
      (one, other) =>
        Number(one.freshness === 'older') - Number(other.freshness === 'older') ||
        Number(one.price.source === 'wiseComparison') - Number(other.price.source === 'wiseComparison') ||
        byDistance(one.price, other.price, query.amountMinor) ||
        other.price.observedAt.getTime() - one.price.observedAt.getTime(),
    );
    if (best) {
      const { rate, feeMinor, observedAt, source } = best.price;
      return [{ competitor, rate, feeMinor, freshness: best.freshness, collectedAt: observedAt, source }];
    }
    const reference = referencePrices[query.currency][competitor];
    return reference ? [{ competitor, ...reference, freshness: 'reference', collectedAt: null, source: null }] : [];
  });
}

function byDistance(one: KnownPrice, other: KnownPrice, amountMinor: bigint): number {
  const distance = (price: KnownPrice) => Math.abs(Number(price.amountMinor + price.feeMinor - amountMinor));
  return distance(one) - distance(other);
}

/** Centavos that arrive when `totalMinor` is paid in all: the fee comes off first, the rest is exchanged, rounded down. */
export function receivedFor(totalMinor: bigint, feeMinor: bigint, rate: Rate): bigint {
  return totalMinor > feeMinor ? convert(totalMinor - feeMinor, rate, 'down') : 0n;
}

/**
 * The value of an amount in US cents, rounded down: banks in Bolivia only buy dollars. Null for euros while there is no
 * EUR/USD rate.
 */
export function dollarsWorth(amountMinor: bigint, currency: SendCurrency, eurUsd: Rate | null): bigint | null {
  if (currency === 'USD') return amountMinor;
  return eurUsd === null ? null : convert(amountMinor, eurUsd, 'down');
}

/** Ranks us among the others by bolivianos received for the same total paid. Our row comes first, whatever its rank. */
export function compare(input: {
  totalMinor: bigint;
  ours: { rate: Rate; fee: FeeSchedule; since: Date };
  theirs: readonly ShownPrice[];
}): { ours: RankedRow; theirs: RankedRow[]; claimPercent: string | null } {
  const { totalMinor } = input;
  const feeMinor = feeOn(totalMinor, input.ours.fee);
  const ourReceived = receivedFor(totalMinor, feeMinor, input.ours.rate);
  const received = input.theirs.map((price) => receivedFor(totalMinor, price.feeMinor, price.rate));
  const rank = (amount: bigint) => 1 + [ourReceived, ...received].filter((other) => other > amount).length;
  const theirs = input.theirs.map((price, index): RankedRow => {
    const receivedMinor = received[index] as bigint;
    const { competitor: id, ...shown } = price;
    const differencePercent = percentChange(price.rate, input.ours.rate, 'nearest');
    return { id, ...shown, receivedMinor, rank: rank(receivedMinor), differencePercent };
  });
  const ours: RankedRow = {
    id: 'chasqui',
    rate: input.ours.rate,
    feeMinor,
    receivedMinor: ourReceived,
    rank: rank(ourReceived),
    freshness: 'live',
    collectedAt: input.ours.since,
    source: null,
    differencePercent: null,
  };
  return { ours, theirs, claimPercent: claimOf(ourReceived, theirs) };
}

/**
 * The largest advantage over a live price in bolivianos received, rounded down so that the claim can be proven. Null
 * while any live price delivers more than ours: beating only the worst of several is not an advantage.
 */
function claimOf(ourReceived: bigint, theirs: readonly RankedRow[]): string | null {
  const live = theirs.flatMap(({ freshness, receivedMinor }) =>
    freshness === 'live' && receivedMinor > 0n ? [receivedMinor] : [],
  );
  if (live.some((received) => received > ourReceived)) return null;
  const [least] = live.toSorted((one, other) => Number(one - other));
  if (least === undefined) return null;
  const claim = percentChange(least, ourReceived, 'towards_zero');
  return claim === '0.0' ? null : claim;
}
