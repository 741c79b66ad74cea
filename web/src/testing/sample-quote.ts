import type { QuoteView } from '#core/contracts/http/rates';

/** 100 USD at 11.55 with a fee of 3.5 %. */
export const sampleQuote: QuoteView = {
  currency: 'USD',
  amount: '100.00',
  fee: '3.50',
  feeUSD: '3.50',
  netAmount: '96.50',
  bs: '1114.57',
  rate: '11.55',
  rateUpdatedAt: '2026-11-20T14:00:00.000Z',
  markupPercent: null,
  minimum: '10.00',
  maximum: '3000.00',
  betterRate: false,
  estimatedDelivery: '2026-11-24T04:00:00.000Z',
};
