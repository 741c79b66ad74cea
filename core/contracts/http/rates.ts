import { z } from 'zod';
import type { SendCurrency } from '../../money/money.ts';
import { fieldSentences } from '../field-problems.ts';
import { endpoint } from './endpoint.ts';
import { routes } from './routes.ts';
import { amountInput, amountText, currency, currencyInput, rateText, timestamp } from './values.ts';

export const rateView = z.object({
  currency,
  rate: rateText,
  lastUpdated: timestamp,
  /** `admin`: set by a person. `derived`: EUR from the USD rate and a EUR/USD reference. */
  source: z.enum(['admin', 'derived']),
  /** The rate is stale: it is still quoted, but payments at it are refused. */
  paused: z.boolean(),
  /** When market data for this currency was last updated; null while there never was any. */
  marketSeenAt: timestamp.nullable(),
});
export type RateView = z.infer<typeof rateView>;

/** The rate board: USD on top as the specification has it, both currencies below. */
export const rateBoard = rateView.extend({ rates: z.object({ USD: rateView, EUR: rateView }) });
export type RateBoard = z.infer<typeof rateBoard>;

export const quoteView = z.object({
  currency,
  /** The amount charged to the card, fee included. */
  amount: amountText,
  fee: amountText,
  /** The same fee under the specification's name; like `fee` it is in `currency`, whatever the name says. */
  feeUSD: amountText,
  netAmount: amountText,
  bs: amountText,
  rate: rateText,
  rateUpdatedAt: timestamp,
  /** Our margin against the reference rate in percent with two decimals; null while there is no reference. */
  markupPercent: z.string().nullable(),
  minimum: amountText,
  maximum: amountText,
  estimatedDelivery: timestamp,
  /** Whether a rate that is better for the recipient when the payment is approved is applied instead. */
  betterRate: z.boolean(),
});
export type QuoteView = z.infer<typeof quoteView>;

/** Request for a quote: the amount charged to the card, or the minimum amount to deliver in centavos. */
export type QuoteRequest =
  | { readonly amount: bigint; readonly currency: SendCurrency }
  | { readonly receive: bigint; readonly currency: SendCurrency };

export const rateEndpoints = {
  getRates: endpoint({
    ...routes.getRates,
    summary: 'Tasas actuales de USD y EUR',
    access: 'public',
    response: rateBoard,
    failures: ['rate_unavailable'],
  }),
  getRate: endpoint({
    ...routes.getRate,
    summary: 'Tasa actual de una moneda',
    access: 'public',
    params: z.object({ currency: currencyInput }),
    response: rateView,
    failures: ['rate_unavailable'],
  }),
  quote: endpoint({
    ...routes.quote,
    summary: 'Cotización indicativa de lo que se paga, o de lo que debe llegar: comisión, tasa y bolivianos',
    access: 'public',
    body: z
      .object({ amount: amountInput.optional(), receive: amountInput.optional(), currency: currencyInput })
      .transform(({ amount, receive, currency }, context): QuoteRequest => {
        if (amount !== undefined && receive === undefined) return { amount, currency };
        if (receive !== undefined && amount === undefined) return { receive, currency };
        const message = receive === undefined ? fieldSentences.amount_malformed : fieldSentences.amount_ambiguous;
        context.addIssue({ code: 'custom', path: ['amount'], message });
        return z.NEVER;
      }),
    response: quoteView,
    failures: ['too_many_requests', 'rate_unavailable'],
  }),
};
