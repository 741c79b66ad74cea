import type { ComparisonView } from '#core/contracts/http/comparison';
import type { BankBoardView } from '#core/contracts/http/rate-series';
import type { QuoteView, RateBoard, RateView } from '#core/contracts/http/rates';
import { defaultFeeSchedule } from '#core/money/fee';
import { formatMinor, parseMinor, type SendCurrency } from '#core/money/money';
import { convert, formatRate, parseRate, type Rate } from '#core/rates/rate';
import { amountDelivering, makeQuote } from '#core/transfers/quote';

const at = '2026-11-20T14:00:00.000Z';

/** A rate as the server tells it. */
export const sampleRate = (currency: SendCurrency, changes: Partial<RateView> = {}): RateView => ({
  currency,
  rate: currency === 'USD' ? '11.55' : '13.38',
  lastUpdated: at,
  source: 'admin',
  paused: false,
  marketSeenAt: null,
  ...changes,
});

/** The rates of both currencies, with changes to that of dollars. */
export function sampleBoard(dollars: Partial<RateView> = {}): RateBoard {
  const USD = sampleRate('USD', dollars);
  return { ...USD, rates: { USD, EUR: sampleRate('EUR') } };
}

/** The quote that the server makes for what a call asks, at the sample rates unless given. */
export function quoteFor(asked: unknown, rate?: string): QuoteView {
  const { amount, receive, currency } = asked as { amount?: string; receive?: string; currency: SendCurrency };
  const terms = { rate: parseRate(rate ?? sampleRate(currency).rate) as Rate, fee: defaultFeeSchedule };
  const amountMinor = receive ? amountDelivering(parseMinor(receive) ?? 0n, terms) : (parseMinor(amount ?? '') ?? 0n);
  const quote = makeQuote({ amountMinor, currency, referenceRate: null, ...terms });
  const fee = formatMinor(quote.feeMinor);
  return {
    currency,
    amount: formatMinor(quote.amountMinor),
    fee,
    feeUSD: fee,
    netAmount: formatMinor(quote.netMinor),
    bs: formatMinor(quote.bolivianosMinor),
    rate: formatRate(quote.rate),
    rateUpdatedAt: at,
    markupPercent: null,
    betterRate: true,
    minimum: '10.00',
    maximum: '3000.00',
    estimatedDelivery: '2026-11-24T04:00:00.000Z',
  };
}

/** Ours beside a live price and a reference value, for 100 USD. */
export const sampleComparison: ComparisonView = {
  currency: 'USD',
  amount: '100.00',
  lastUpdated: at,
  ourRate: {
    id: 'chasqui',
    name: 'Chasqui',
    rate: '11.55',
    fee: '3.50',
    received: '1114.57',
    rank: 1,
    freshness: 'live',
    collectedAt: at,
    method: 'in_force',
    differencePercent: null,
  },
  competitors: [
    {
      id: 'remitly',
      name: 'Remitly',
      rate: '11.15',
      fee: '1.99',
      received: '1092.81',
      rank: 2,
      freshness: 'live',
      collectedAt: at,
      method: 'direct',
      differencePercent: '3.6',
    },
    {
      id: 'moneyGram',
      name: 'MoneyGram',
      rate: '7.70',
      fee: '3.99',
      received: '739.27',
      rank: 3,
      freshness: 'reference',
      collectedAt: null,
      method: 'reference',
      differencePercent: '50.0',
    },
  ],
  claimPercent: '2.0',
};

/** The table of banks that pay so much for a dollar, best first, for the amount asked. */
export function sampleBanks(
  banks: Readonly<Record<string, string>>,
  { amount = '100', currency = 'USD' }: Readonly<Record<string, string>> = {},
): BankBoardView {
  const paid = parseMinor(amount) ?? 0n;
  const ours = parseMinor(quoteFor({ amount, currency }).bs) ?? 0n;
  return {
    currency: currency as SendCurrency,
    amount: formatMinor(paid),
    ...{ dollars: formatMinor(paid), eurUsd: null, ours: formatMinor(ours) },
    ...{ day: '2026-11-20', collectedAt: at, freshness: 'live' },
    banks: Object.entries(banks).map(([bank, rate], index) => {
      const received = convert(paid, parseRate(rate) as Rate, 'down');
      const figures = { received: formatMinor(received), difference: formatMinor(received - ours) };
      return { bank, rate, rank: index + 1, ...figures };
    }),
  };
}

/** 100 USD at 11.55 with a fee of 3.5 %. */
export const sampleQuote: QuoteView = {
  currency: 'USD',
  amount: '100.00',
  fee: '3.50',
  feeUSD: '3.50',
  netAmount: '96.50',
  bs: '1114.57',
  rate: '11.55',
  rateUpdatedAt: '2026-11-20T14:00:00.000Z',
  markupPercent: null,
  minimum: '10.00',
  maximum: '3000.00',
  betterRate: false,
  estimatedDelivery: '2026-11-24T04:00:00.000Z',
};
