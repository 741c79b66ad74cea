import { Failure } from '#core/contracts/failures';
import type { QuoteView } from '#core/contracts/http/rates';
import type { FeeSchedule } from '#core/money/fee';
import { formatMinor, type SendCurrency } from '#core/money/money';
import { formatBasisPoints } from '#core/money/percent';
import { formatRate, type Rate } from '#core/rates/rate';
import { estimateDelivery } from '#core/transfers/delivery';
import { maximumMinor, minimumMinor } from '#core/transfers/limits';
import { makeQuote, type Quote } from '#core/transfers/quote';
import type { EntityManager } from '#platform/database/database';
import type { ReferenceRates } from '../rate-sources/observation.repository.ts';
import { type CurrentRates, currentRates } from './current-rates.ts';

/** The rates in force. @throws Failure `rate_unavailable` while there are none: then nothing is quoted or paid. */
export async function ratesInForce(
  em: EntityManager,
  rules: { rates: { pauseAfterMs: number } },
  now = new Date(),
): Promise<CurrentRates> {
  const rates = await currentRates(em, { now, pauseAfterMs: rules.rates.pauseAfterMs });
  if (!rates) throw new Failure('rate_unavailable');
  return rates;
}

/** A quote at the rates in force, with our mark-up over the market where that is known. */
export function quoteAt(
  rates: CurrentRates,
  reference: ReferenceRates,
  { fee }: { fee: FeeSchedule },
  { amount, currency }: { amount: bigint; currency: SendCurrency },
): Quote {
  const [rate, referenceRate] = [rates[currency].rate, reference[currency]];
  return makeQuote({ amountMinor: amount, currency, rate, referenceRate, fee });
}

/** Wire form of a quote. */
export function toQuoteView(
  quote: Quote,
  context: { rateUpdatedAt: Date; eurUsd: Rate; estimatedDelivery?: Date },
): QuoteView {
  const fee = formatMinor(quote.feeMinor);
  const delivery = context.estimatedDelivery ?? estimateDelivery(new Date(), 'bank');
  return {
    currency: quote.currency,
    amount: formatMinor(quote.amountMinor),
    fee,
    feeUSD: fee,
    netAmount: formatMinor(quote.netMinor),
    bs: formatMinor(quote.bolivianosMinor),
    rate: formatRate(quote.rate),
    rateUpdatedAt: context.rateUpdatedAt.toISOString(),
    markupPercent: quote.markupBasisPoints === null ? null : formatBasisPoints(quote.markupBasisPoints),
    minimum: formatMinor(minimumMinor),
    maximum: formatMinor(maximumMinor(quote.currency, context.eurUsd)),
    estimatedDelivery: delivery.toISOString(),
  };
}
