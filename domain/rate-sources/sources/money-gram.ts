import { z } from 'zod';
import { formatMinor } from '#core/money/money';
import { bolivianosRate, feeOf, type Source, SourceError, senderCountry } from '../source.ts';

const schema = z.object({
  feeQuotesByCurrency: z.record(z.string(), z.object({ fxRate: z.number(), sendFee: z.number() })),
});

/** MoneyGram's fee quote. The first-transfer promotion is ignored: the regular price counts. */
export const moneyGram: Source<z.infer<typeof schema>> = {
  name: 'moneyGram',
  origin: 'https://www.moneygram.com',
  minIntervalMs: 1500,
  answers: 'json',
  requestMode: 'per_query',
  schema,
  request: ({ currency, amountMinor }) => ({
    path: `/api/send-money/fee-quote/v2?${new URLSearchParams({
      senderCountryCode: senderCountry[currency].three,
      senderCurrencyCode: currency,
      receiverCountryCode: 'BOL',
      receiverCurrencyCode: 'BOB',
      sendAmount: formatMinor(amountMinor),
    })}`,
    headers: { 'accept-language': 'en-US', 'locale-header': 'en-us' },
  }),
  toObservations(data, { currency, amountMinor }) {
    const field = 'feeQuotesByCurrency.BOB';
    const quote = data.feeQuotesByCurrency.BOB;
    if (!quote) throw new SourceError({ code: 'changed_shape', field });
    return [
      {
        kind: 'price',
        source: 'moneyGram',
        competitor: 'moneyGram',
        currency,
        amountMinor,
        rate: bolivianosRate(quote.fxRate, `${field}.fxRate`),
        feeMinor: feeOf(quote.sendFee, `${field}.sendFee`, amountMinor),
      },
    ];
  },
};
