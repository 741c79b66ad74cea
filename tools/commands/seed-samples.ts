import type { SendCurrency } from '#core/money/money';
import { proposeRate } from '#core/rates/guard-rails';
import type { Rate } from '#core/rates/rate';
import { dayMs } from '#core/time/time';
import { dollarHistory } from '#domain/rate-observations/dollar-history';

/** A time some days later (or earlier, when negative). */
export function addDays(from: Date, days: number): Date {
  return new Date(from.getTime() + days * dayMs);
}

/** Rates of the demonstration: below the sandbox's market rates, so that they are profitable. */
export const sampleRates: readonly { currency: SendCurrency; rate: string; daysAgo: number }[] = [
  { currency: 'USD', rate: '11.41', daysAgo: 40 },
  { currency: 'EUR', rate: '13.16', daysAgo: 40 },
  { currency: 'USD', rate: '11.36', daysAgo: 14 },
  { currency: 'EUR', rate: '13.10', daysAgo: 14 },
  { currency: 'USD', rate: '11.40', daysAgo: 0 },
  { currency: 'EUR', rate: '13.15', daysAgo: 0 },
];

/** How long each of our past rates was in force, in days. */
const historicTerm = 14;

/**
 * Our simulated past rates: for two weeks each, one per cent below the lowest market rate in that time, with two
 * decimals. Oldest first, from `since` (inclusive) until `until` (exclusive).
 */
export function historicRates(since: Date, until: Date): { readonly at: Date; readonly rate: Rate }[] {
  const days = Map.groupBy(dollarHistory, ({ at }) => at.getTime());
  const market = [...days].sort(([one], [other]) => one - other).map(([, figures]) => figures);
  return Array.from({ length: Math.ceil(market.length / historicTerm) }, (_, index) => {
    const term = market.slice(index * historicTerm, (index + 1) * historicTerm).flat();
    const [least] = term.toSorted((one, other) => Number(one.rate - other.rate));
    return { at: term[0]?.at as Date, rate: proposeRate(least?.rate as Rate, 100n) as Rate };
  }).filter(({ at }) => at >= since && at < until);
}

export const sampleRecipients = [
  {
    name: 'Rosa Mamani Condori',
    email: '',
    phone: '+591 71234567',
    ci: '4567890 LP',
    bankName: 'Banco Unión',
    bankAccount: '10000012345678',
    address: 'Av. Buenos Aires 1450',
    city: 'La Paz',
    relationship: 'Mamá',
  },
  {
    name: 'Javier Mamani Rojas',
    email: 'javier@chasqui.test',
    phone: '+591 76543210',
    ci: '7890123 SC',
    bankName: 'Banco Mercantil Santa Cruz',
    bankAccount: '4012345678',
    address: 'Calle Libertad 320',
    city: 'Santa Cruz',
    relationship: '',
  },
] as const;

export interface SampleTransfer {
  /** Index into `sampleRecipients`. */
  readonly recipient: number;
  readonly amountMinor: bigint;
  readonly currency: SendCurrency;
  readonly rate: string;
  /** The market rate. */
  readonly referenceRate: string;
  readonly daysAgo: number;
  readonly outcome: 'completed' | 'rejected';
  readonly reference: string;
}

export const sampleTransfers: readonly SampleTransfer[] = [
  {
    recipient: 0,
    amountMinor: 20_000n,
    currency: 'EUR',
    rate: '13.16',
    referenceRate: '13.34',
    daysAgo: 36,
    outcome: 'completed',
    reference: 'BU-000481',
  },
  {
    recipient: 1,
    amountMinor: 12_000n,
    currency: 'USD',
    rate: '11.41',
    referenceRate: '11.50',
    daysAgo: 21,
    outcome: 'completed',
    reference: 'BM-000732',
  },
  {
    recipient: 1,
    amountMinor: 7_500n,
    currency: 'EUR',
    rate: '13.10',
    referenceRate: '13.29',
    daysAgo: 9,
    outcome: 'rejected',
    reference: '',
  },
  {
    recipient: 0,
    amountMinor: 25_000n,
    currency: 'EUR',
    rate: '13.10',
    referenceRate: '13.29',
    daysAgo: 5,
    outcome: 'completed',
    reference: 'BU-000955',
  },
];
