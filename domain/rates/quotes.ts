import type { QuoteRequest } from '#core/contracts/http/rates';
import type { FeeSchedule } from '#core/money/fee';
import type { SendCurrency } from '#core/money/money';
import { amountDelivering, makeQuote, type Quote } from '#core/transfers/quote';
import type { ReferenceRates } from '../rate-observations/market-references.ts';
import type { CurrentRates } from './current-rates.ts';

/** A quote at the rates in force, with our margin over the market if known. */
export function quoteAt(
  rates: Pick<CurrentRates, SendCurrency>,
  reference: ReferenceRates,
  fee: FeeSchedule,
  request: QuoteRequest,
): Quote {
  const { currency } = request;
  const [rate, referenceRate] = [rates[currency].rate, reference[currency]];
  const amountMinor = 'amount' in request ? request.amount : amountDelivering(request.receive, { rate, fee });
  return makeQuote({ amountMinor, currency, rate, referenceRate, fee });
}
