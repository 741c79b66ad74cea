import type { SendCurrency } from '#core/money/money';

declare const fromFactory: unique symbol;

/** Whose data a key stands for: everybody's, who is signed in, the signed-in sender's, or what administrators see. */
type Scope = 'public' | 'session' | 'sender' | 'admin';

/** A query key. Only the factories here, in sender-query-keys.ts and in admin-query-keys.ts make one: the type checker takes no array in its place. */
export type AppQueryKey = readonly [Scope, ...unknown[]] & { readonly [fromFactory]: true };

declare module '@tanstack/react-query' {
  interface Register {
    queryKey: AppQueryKey;
  }
}

/** Whether the data of a key go away when another person signs in or out. */
export const isPersonal = ([scope]: AppQueryKey): boolean => scope !== 'public' && scope !== 'session';

/** For the factories alone. */
export const key = (scope: Scope, ...parts: readonly unknown[]) => [scope, ...parts] as unknown as AppQueryKey;

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
  bankBoard: (currency: SendCurrency, amount: string) => key('public', 'rates', 'banks', currency, amount),
  arrivals: key('public', 'arrival-times'),
};

export const quoteKeys = {
  all: key('public', 'quotes'),
  one: (currency: SendCurrency, amount: string, side: 'pay' | 'receive') =>
    key('public', 'quotes', currency, side, amount),
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
