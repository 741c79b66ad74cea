import { choosePrices, receivedFor } from '#core/comparison/comparison';
import type { ScraperView } from '#core/contracts/http/comparison';
import type { QuoteView, RateView } from '#core/contracts/http/rates';
import { feeOn } from '#core/money/fee';
import { formatMinor, parseMinor, type SendCurrency } from '#core/money/money';
import { chain, convert, fallbackEurUsd, formatRate, parseRate, type Rate } from '#core/rates/rate';
import { type Competitor, competitorNames } from '#core/rates/sources';
import { amountDelivering } from '#core/transfers/quote';
import type { QuoteQuestion } from '../../data/rates.ts';
import { localStore } from '../../lib/storage.ts';
import type { Figures } from '../shared/breakdown.tsx';
import type { Price } from '../shared/price-cards.tsx';

/*
 * Everything computed here is shown as an estimate and never charged: a payment always uses a quote of the server.
 */

/** An estimate without the server: fee rounded up and bolivianos down, as the server would. Null for what is no amount. */
export function estimate({ amount: typed, currency, side }: QuoteQuestion, terms: Terms): Figures | null {
  const asked = parseMinor(typed);
  if (asked === null || asked === 0n) return null;
  const { rate } = terms;
  const schedule = { fixedMinor: 0n, basisPoints: terms.feeBasisPoints };
  const amount = side === 'receive' ? amountDelivering(asked, { rate, fee: schedule }) : asked;
  const fee = feeOn(amount, schedule);
  return {
    currency,
    amount: formatMinor(amount),
    fee: formatMinor(fee),
    netAmount: formatMinor(amount - fee),
    bs: formatMinor(convert(amount - fee, rate, 'down')),
    rate: formatRate(rate),
  };
}

/** Figures with another rate: what would arrive if that were the rate. How ours stands to the market says nothing of it. */
export function withOwnRate(figures: Figures, rate: Rate): Figures {
  const net = parseMinor(figures.netAmount) ?? 0n;
  return { ...figures, rate: formatRate(rate), bs: formatMinor(convert(net, rate, 'down')), markupPercent: null };
}

type KnownRate = Pick<RateView, 'rate' | 'lastUpdated'>;
type QuotedRate = Pick<QuoteView, 'rate' | 'rateUpdatedAt'>;

/** The newest rate that the server named, in a quote or by itself ("11.55"); null while it named none. */
export function rateInForce(known: KnownRate | undefined, quote: QuotedRate | null): string | null {
  if (known && quote) return Date.parse(quote.rateUpdatedAt) > Date.parse(known.lastUpdated) ? quote.rate : known.rate;
  return known?.rate ?? quote?.rate ?? null;
}

/** The rate typed into the field if it differs from the one in force; null when the field shows that one. */
export function ownRateOf(typed: string | null, inForce: string | null): Rate | 'empty' | null {
  if (typed === null) return null;
  const rate = parseRate(typed.replace(/\.$/, ''));
  if (rate === null) return 'empty';
  return inForce !== null && parseRate(inForce) === rate ? null : rate;
}

/** What arrives through a service for a total paid. */
export type ArrivingPrice = Price & { readonly received: string };

/** The two the calculator compares with (specification, section 2). */
export const compared = ['westernUnion', 'moneyGram'] as const satisfies readonly Competitor[];

/**
 * The compared prices for exactly this question: from the server's answer, or the specification's reference values when it
 * cannot be asked (`view` null). Null while the answer is on its way or belongs to another question.
 */
export function competitorPrices(
  question: QuoteQuestion,
  view: ScraperView | null | undefined,
): ArrivingPrice[] | null {
  const total = parseMinor(question.amount);
  if (total === null || total === 0n) return null;
  if (view === null) return referencePrices(total, question.currency);
  if (!view || view.currency !== question.currency || parseMinor(view.amount) !== total) return null;
  return compared.flatMap((id) => {
    const price = view.results[id];
    const rate = price && parseRate(price.rate);
    if (!price || !rate) return [];
    return [{ id, ...price, received: formatMinor(receivedFor(total, parseMinor(price.fee) ?? 0n, rate)) }];
  });
}

function referencePrices(total: bigint, currency: SendCurrency): ArrivingPrice[] {
  // Nothing known: what is left are the reference values, whatever the time.
  const prices = choosePrices([], { amountMinor: total, currency, now: new Date(0), everyMs: 0 });
  return prices.map(({ competitor: id, rate, feeMinor }) => ({
    id,
    name: competitorNames[id],
    rate: formatRate(rate),
    fee: formatMinor(feeMinor),
    received: formatMinor(receivedFor(total, feeMinor, rate)),
    freshness: 'reference',
    collectedAt: null,
  }));
}

/** What an estimate is made with when the server cannot be asked. */
export interface Terms {
  /** Bolivianos per unit. */
  readonly rate: Rate;
  /** Share of the amount. */
  readonly feeBasisPoints: bigint;
  /** ISO time at which the server last said so; null for the constants. */
  readonly seenAt: string | null;
}

/** A quote's part that is worth keeping, as the wire has it. */
interface SeenQuote {
  readonly currency: SendCurrency;
  readonly amount: string;
  readonly fee: string;
  readonly rate: string;
}

/** The specification's constants (section 9): 8.5 Bs per dollar, 2 %. A euro counts as 1.1 dollars. */
const usdRate = 8_500_000n as Rate;
const constants: Readonly<Record<SendCurrency, Terms>> = {
  USD: { rate: usdRate, feeBasisPoints: 200n, seenAt: null },
  EUR: { rate: chain(fallbackEurUsd, usdRate), feeBasisPoints: 200n, seenAt: null },
};

/** Below the smallest amount that can be sent, rounding hides the fee's share. */
const tellingMinor = 1000n;

const entryOf = (currency: SendCurrency) => `chasqui_last_quote_${currency}`;

type Store = Pick<Storage, 'getItem' | 'setItem'>;

/** The rate and the fee last seen from the server in this browser; the constants if none ever was. */
export function lastTerms(currency: SendCurrency, store: Store = localStore): Terms {
  return read(store, currency) ?? constants[currency];
}

/** Keeps a quote's rate and fee for the next time there is no connection. `seenAt` is ISO 8601. */
export function rememberTerms(quote: SeenQuote, seenAt: string, store: Store = localStore): void {
  const amount = parseMinor(quote.amount) ?? 0n;
  const rate = parseRate(quote.rate);
  const fee = parseMinor(quote.fee);
  if (amount < tellingMinor || rate === null || fee === null) return;
  const entry = { amount: formatMinor(amount), fee: formatMinor(fee), rate: formatRate(rate), seenAt };
  store.setItem(entryOf(quote.currency), JSON.stringify(entry));
}

function read(store: Store, currency: SendCurrency): Terms | null {
  try {
    const entry = JSON.parse(store.getItem(entryOf(currency)) ?? 'null') as Record<string, unknown> | null;
    if (!entry) return null;
    const amount = parseMinor(String(entry.amount)) ?? 0n;
    const fee = parseMinor(String(entry.fee));
    const rate = parseRate(String(entry.rate));
    const seenAt = String(entry.seenAt);
    if (amount === 0n || fee === null || fee > amount || rate === null || Number.isNaN(Date.parse(seenAt))) return null;
    return { rate, feeBasisPoints: (fee * 10_000n) / amount, seenAt };
  } catch {
    return null;
  }
}
