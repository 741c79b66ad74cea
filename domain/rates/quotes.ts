import type { FeeSchedule } from '#core/money/fee';
import type { SendCurrency } from '#core/money/money';
import { makeQuote, type Quote } from '#core/transfers/quote';
import type { ReferenceRates } from '../rate-sources/market-references.ts';
import type { CurrentRates } from './current-rates.ts';

/** A quote at the rates in force, with our mark-up over the market where that is known. */
export function quoteAt(
  rates: Pick<CurrentRates, SendCurrency>,
  reference: ReferenceRates,
  fee: FeeSchedule,
  { amount, currency }: { amount: bigint; currency: SendCurrency },
): Quote {
  const [rate, referenceRate] = [rates[currency].rate, reference[currency]];
  return makeQuote({ amountMinor: amount, currency, rate, referenceRate, fee });
}
