import type { SendCurrency } from '#core/money/money';
import { key } from './make-key.ts';

/** Everything that is the same for everyone. */
export const publicKey = key('public');

/** Who is signed in. */
export const sessionKey = key('session');

/** Payments at the card provider. */
export const paymentKeys = {
  config: key('public', 'payment-config'),
  status: (paymentIntentId: string) => key('sender', 'payments', 'status', paymentIntentId),
  recorded: (paymentIntentId: string) => key('sender', 'payments', 'recorded', paymentIntentId),
};

export const rateKeys = {
  board: key('public', 'rates', 'board'),
  one: (currency: SendCurrency) => key('public', 'rates', 'one', currency),
  allSeries: key('public', 'rates', 'series'),
  series: (currency: SendCurrency, days: number) => key('public', 'rates', 'series', currency, days),
  banks: key('public', 'rates', 'banks'),
};

export const quoteKeys = {
  all: key('public', 'quotes'),
  one: (currency: SendCurrency, amount: string) => key('public', 'quotes', currency, amount),
};

/** Ours beside other services. */
export const comparisonKeys = {
  all: key('public', 'comparison'),
  /** What our rate is part of. */
  withOurs: key('public', 'comparison', 'with-ours'),
  ranking: (currency: SendCurrency, amount: string) =>
    key('public', 'comparison', 'with-ours', 'ranking', currency, amount),
  claim: (currency: SendCurrency, amount: string) =>
    key('public', 'comparison', 'with-ours', 'claim', currency, amount),
  prices: (currency: SendCurrency, amount: string) => key('public', 'comparison', 'prices', currency, amount),
  pricesFor: (currency: SendCurrency, amount: string) => key('public', 'comparison', 'prices-for', currency, amount),
};

export const helpKeys = { contact: key('public', 'help-contact') };
