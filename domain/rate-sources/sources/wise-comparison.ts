import { z } from 'zod';
import { formatMinor } from '#core/money/money';
import type { Competitor, Observation } from '#core/rates/sources';
import { bolivianosRate, feeOf, type Source } from '../source.ts';

const schema = z.object({
  providers: z.array(
    z.object({
      alias: z.string(),
      quotes: z.array(z.object({ rate: z.number().nullable(), fee: z.number().nullable() })),
    }),
  ),
});

const known: Readonly<Record<string, Competitor>> = {
  westernunion: 'westernUnion',
  moneygram: 'moneyGram',
  ria: 'ria',
  riamoneytransfer: 'ria',
  remitly: 'remitly',
  wise: 'wise',
  transferwise: 'wise',
};

/** Wise's public comparison of many services. Its amounts include the fee; providers without a price are skipped. */
export const wiseComparison: Source<z.infer<typeof schema>> = {
  name: 'wiseComparison',
  origin: 'https://api.wise.com',
  minIntervalMs: 1500,
  answers: 'json',
  requestMode: 'per_query',
  schema,
  request: ({ currency, amountMinor }) => ({
    path: `/v4/comparisons/?${new URLSearchParams({
      sourceCurrency: currency,
      targetCurrency: 'BOB',
      sendAmount: formatMinor(amountMinor),
    })}`,
  }),
  toObservations({ providers }, { currency, amountMinor }) {
    return providers.flatMap(({ alias, quotes }, index): Observation[] => {
      const competitor = known[alias.toLowerCase().replace(/[^a-z]/g, '')];
      const quote = quotes[0];
      if (!competitor || !quote || quote.rate === null || quote.fee === null) return [];
      const field = `providers.${index}.quotes.0`;
      const feeMinor = feeOf(quote.fee, `${field}.fee`, amountMinor);
      return [
        {
          kind: 'price',
          source: 'wiseComparison',
          competitor,
          currency,
          amountMinor: amountMinor - feeMinor,
          rate: bolivianosRate(quote.rate, `${field}.rate`),
          feeMinor,
        },
      ];
    });
  },
};
