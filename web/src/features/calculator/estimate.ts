import { choosePrices, receivedFor } from '#core/comparison/comparison';
import type { ScraperView } from '#core/contracts/http/comparison';
import type { QuoteView, RateView } from '#core/contracts/http/rates';
import { feeOn } from '#core/money/fee';
import { formatMinor, parseMinor, type SendCurrency } from '#core/money/money';
import { convert, formatRate, parseRate, type Rate } from '#core/rates/rate';
import { type Competitor, competitorNames } from '#core/rates/sources';
import type { QuoteQuestion } from '../../data/quotes.ts';
import type { Figures } from '../../ui/breakdown.tsx';
import type { Terms } from './last-terms.ts';

/*
 * Everything computed here is shown as an estimate and never charged: a payment always uses a quote of the server.
 */

/** An estimate without the server: fee rounded up and bolivianos down, as the server would. Null for what is no amount. */
export function estimate(question: QuoteQuestion, terms: Terms, rate: Rate): Figures | null {
  const amount = parseMinor(question.amount);
  if (amount === null || amount === 0n) return null;
  const fee = feeOn(amount, { fixedMinor: 0n, basisPoints: terms.feeBasisPoints });
  return {
    currency: question.currency,
    amount: formatMinor(amount),
    fee: formatMinor(fee),
    netAmount: formatMinor(amount - fee),
    bs: formatMinor(convert(amount - fee, rate, 'down')),
    rate: formatRate(rate),
  };
}

/** The server's quote with another rate: what would arrive if that were the rate. */
export function withOwnRate(quote: Figures, rate: Rate): Figures {
  const net = parseMinor(quote.netAmount) ?? 0n;
  return { ...quote, rate: formatRate(rate), bs: formatMinor(convert(net, rate, 'down')) };
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

/** What arrives through a competitor for the same total paid. */
export interface CompetitorPrice {
  readonly id: Competitor;
  readonly name: string;
  /** As the wire has them. */
  readonly rate: string;
  readonly fee: string;
  readonly bs: string;
  /** A fixed value without live data. */
  readonly reference: boolean;
}

/** The two the calculator compares with (specification, section 2). */
export const compared = ['westernUnion', 'moneyGram'] as const satisfies readonly Competitor[];

/**
 * The compared prices for exactly this question: from the server's answer, or the specification's reference values when it
 * cannot be asked (`view` null). Null while the answer is on its way or belongs to another question.
 */
export function competitorPrices(
  question: QuoteQuestion,
  view: ScraperView | null | undefined,
): CompetitorPrice[] | null {
  const total = parseMinor(question.amount);
  if (total === null || total === 0n) return null;
  if (view === null) return referencePrices(total, question.currency);
  if (!view || view.currency !== question.currency || parseMinor(view.amount) !== total) return null;
  return compared.flatMap((id) => {
    const price = view.results[id];
    const rate = price && parseRate(price.rate);
    if (!price || !rate) return [];
    const bs = formatMinor(receivedFor(total, parseMinor(price.fee) ?? 0n, rate));
    return [{ id, name: price.name, rate: price.rate, fee: price.fee, bs, reference: price.freshness === 'reference' }];
  });
}

function referencePrices(total: bigint, currency: SendCurrency): CompetitorPrice[] {
  // Nothing known: what is left are the reference values, whatever the time.
  const prices = choosePrices([], { amountMinor: total, currency, now: new Date(0), everyMs: 0 });
  return prices.map(({ competitor: id, rate, feeMinor }) => ({
    id,
    name: competitorNames[id],
    rate: formatRate(rate),
    fee: formatMinor(feeMinor),
    bs: formatMinor(receivedFor(total, feeMinor, rate)),
    reference: true,
  }));
}
