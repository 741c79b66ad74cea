import { z } from 'zod';
import { formatMinor } from '#core/money/money';
import { bolivianosRate, feeOf, type Source, senderCountry } from '../source.ts';

const number = z.union([z.number(), z.string()]);
const schema = z.object({
  estimate: z.object({
    exchange_rate: z.object({ base_rate: number }),
    fee: z.object({ total_fee_amount: number }),
  }),
});

/**
 * Remitly's estimate at its base rate. It rejects frequent requests, so it is called slowly and for one amount only.
 */
export const remitly: Source<z.infer<typeof schema>> = {
  name: 'remitly',
  origin: 'https://api.remitly.io',
  minIntervalMs: 8000,
  answers: 'json',
  requestMode: 'per_query',
  oneAmountOnly: true,
  schema,
  request: ({ currency, amountMinor }) => ({
    path: `/v3/calculator/estimate?${new URLSearchParams({
      conduit: `${senderCountry[currency].three}:${currency}-BOL:BOB`,
      anchor: 'SEND',
      amount: formatMinor(amountMinor),
      purpose: 'OTHER',
      customer_segment: 'UNRECOGNIZED',
      strict_promo: 'false',
    })}`,
  }),
  toObservations({ estimate }, { currency, amountMinor }) {
    return [
      {
        kind: 'price',
        source: 'remitly',
        competitor: 'remitly',
        currency,
        amountMinor,
        rate: bolivianosRate(estimate.exchange_rate.base_rate, 'estimate.exchange_rate.base_rate'),
        feeMinor: feeOf(estimate.fee.total_fee_amount, 'estimate.fee.total_fee_amount', amountMinor),
      },
    ];
  },
};
