import { z } from 'zod';
import { formatMinor } from '#core/money/money';
import { bolivianosRate, feeOf, type Source, SourceProblem, senderCountry } from '../source.ts';

const schema = z.object({
  feeQuotesByCurrency: z.record(z.string(), z.object({ fxRate: z.number(), sendFee: z.number() })),
});

/** MoneyGram's fee quote. Its first-transfer promotion is left aside: everybody's price counts. */
export const moneyGram: Source<z.infer<typeof schema>> = {
  name: 'moneyGram',
  origin: 'https://www.moneygram.com',
  gapMs: 1500,
  answers: 'json',
  asked: 'perQuestion',
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
    if (!quote) throw new SourceProblem({ code: 'changed_shape', field });
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
