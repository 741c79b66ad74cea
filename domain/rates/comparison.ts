import {
  compare,
  dollarsWorth,
  freshnessAt,
  type RankedRow,
  receivedFor,
  type ShownPrice,
} from '#core/comparison/comparison';
import type { ComparisonRow, ComparisonView, ScraperView } from '#core/contracts/http/comparison';
import type { BankBoardView } from '#core/contracts/http/rate-series';
import { type FeeSchedule, feeOn } from '#core/money/fee';
import { formatMinor, type SendCurrency } from '#core/money/money';
import { convert, formatRate } from '#core/rates/rate';
import { competitorNames } from '#core/rates/sources';
import { latest } from '#core/time/time';
import type { CurrentRate } from './current-rates.ts';
import type { PublicRates } from './public-rates.ts';

/** The parameters of a comparison; the amount in minor units, fee included. */
export interface ComparisonQuery {
  readonly amount: bigint;
  readonly currency: SendCurrency;
}

/** API representation of our price and those of competitors, ranked by the amount received. */
export function toComparisonView(
  { amount, currency }: ComparisonQuery,
  { rate, since }: CurrentRate,
  fee: FeeSchedule,
  theirs: readonly ShownPrice[],
): ComparisonView {
  const compared = compare({ totalMinor: amount, ours: { rate, since, fee }, theirs });
  const collected = theirs.flatMap(({ collectedAt }) => collectedAt ?? []);
  return {
    currency,
    amount: formatMinor(amount),
    lastUpdated: latest(since, ...collected).toISOString(),
    ourRate: toRow(compared.ours),
    competitors: compared.theirs.map(toRow),
    claimPercent: compared.claimPercent,
  };
}

/** API representation of others' prices, by competitor. */
export function toScraperView(
  { amount, currency }: ComparisonQuery,
  prices: readonly ShownPrice[],
  now: Date,
): ScraperView {
  return {
    timestamp: now.toISOString(),
    amount: formatMinor(amount),
    currency,
    results: Object.fromEntries(
      prices.map(({ competitor, rate, feeMinor, freshness, collectedAt }) => [
        competitor,
        {
          name: competitorNames[competitor],
          rate: formatRate(rate),
          fee: formatMinor(feeMinor),
          freshness,
          collectedAt: collectedAt?.toISOString() ?? null,
        },
      ]),
    ),
  };
}

/** API representation of what banks would pay for an amount, compared with the amount received through us. */
export function toBankBoardView(
  { amount, currency }: ComparisonQuery,
  { board, rates, eurUsd }: Awaited<ReturnType<PublicRates['banks']>>,
  { fee, everyMs, now }: { fee: FeeSchedule; everyMs: number; now: Date },
): BankBoardView {
  const dollars = dollarsWorth(amount, currency, eurUsd);
  const ours = rates && receivedFor(amount, feeOn(amount, fee), rates[currency].rate);
  const text = (minor: bigint | null) => (minor === null ? null : formatMinor(minor));
  return {
    currency,
    amount: formatMinor(amount),
    dollars: text(dollars),
    eurUsd: currency === 'EUR' && eurUsd ? formatRate(eurUsd) : null,
    ours: text(ours),
    day: board?.day ?? null,
    collectedAt: board?.collectedAt.toISOString() ?? null,
    freshness: board && freshnessAt(board.collectedAt, now, everyMs),
    banks: (board?.banks ?? []).map(({ bank, rate, rank }) => {
      const received = dollars === null ? null : convert(dollars, rate, 'down');
      const difference = received === null || ours === null ? null : received - ours;
      return { bank, rate: formatRate(rate), rank, received: text(received), difference: text(difference) };
    }),
  };
}

function toRow(row: RankedRow): ComparisonRow {
  return {
    id: row.id,
    name: row.id === 'chasqui' ? 'Chasqui' : competitorNames[row.id],
    rate: formatRate(row.rate),
    fee: formatMinor(row.feeMinor),
    received: formatMinor(row.receivedMinor),
    rank: row.rank,
    freshness: row.freshness,
    collectedAt: row.collectedAt?.toISOString() ?? null,
    method: methodOf(row),
    differencePercent: row.differencePercent,
  };
}

function methodOf({ id, freshness, source }: RankedRow): ComparisonRow['method'] {
  if (id === 'chasqui') return 'in_force';
  if (freshness === 'reference') return 'reference';
  return source === 'wiseComparison' ? 'wise_comparison' : 'direct';
}
