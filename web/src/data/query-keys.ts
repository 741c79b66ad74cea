import type { SendCurrency } from '#core/money/money';

declare const fromFactory: unique symbol;

/** Whose data a key stands for: everybody's, who is signed in, the signed-in sender's, or what administrators see. */
type Scope = 'public' | 'session' | 'sender' | 'admin';

/** A query key. Only the factories here and in admin-query-keys.ts make one: the type checker takes no array in its place. */
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

export const helpKeys = { contact: key('public', 'help-contact') };

/** What a link about a changed e-mail address does. */
export const emailLinkKey = (token: string) => key('sender', 'email-link', token);

/** Whom a link for a new password is for. */
export const passwordResetKey = (token: string) => key('sender', 'password-reset-link', token);

/** The sender's transfers. The last part of a list's key is its filter. */
export const transferKeys = {
  all: key('sender', 'transfers'),
  lists: key('sender', 'transfers', 'list'),
  list: (filter: object) => key('sender', 'transfers', 'list', filter),
  one: (id: string) => key('sender', 'transfers', 'one', id),
  receipt: (id: string) => key('sender', 'transfers', 'receipt', id),
  questions: (id: string) => key('sender', 'transfers', 'questions', id),
};

/** Papers that are checked, and the periods of which the sender can have a statement. */
export const paperKeys = {
  checked: (code: string) => key('public', 'papers', code),
  periods: key('sender', 'statement-periods'),
};

/** A transfer by its tracking link, and the link of the sender's own. */
export const trackingKeys = {
  one: (token: string) => key('public', 'tracking', token),
  link: (id: string) => key('sender', 'tracking-link', id),
};

/** Problems that the sender reported: of a transfer, and all. */
export const complaintKeys = {
  all: key('sender', 'complaints'),
  list: key('sender', 'complaints', 'list'),
  ofTransfer: (transferId: string) => key('sender', 'complaints', 'transfer', transferId),
};

/** The signed-in person's account. */
export const accountKeys = {
  details: key('sender', 'account'),
  sessions: key('sender', 'account', 'sessions'),
  secondFactor: key('sender', 'account', 'second-factor'),
  push: key('sender', 'account', 'push'),
};

/** Which e-mails the signed-in person wants. */
export const emailPreferencesKey = key('sender', 'email-preferences');

/** What the signed-in person is told of. */
export const newsKey = key('sender', 'news');

/** The sender's figures. */
export const summaryKey = key('sender', 'summary');

export const recipientKeys = { all: key('sender', 'recipients') };

export const rateAlertKeys = {
  lists: key('sender', 'rate-alerts', 'list'),
  list: (filter: object) => key('sender', 'rate-alerts', 'list', filter),
};

/** Transfers that the sender repeats, and their reminders. */
export const repeatKeys = {
  all: key('sender', 'repeats'),
  list: key('sender', 'repeats', 'list'),
  reminder: (id: string) => key('sender', 'repeats', 'reminder', id),
};

/** Purchases of USDC. */
export const cryptoKeys = {
  config: key('public', 'crypto-config'),
  lists: key('sender', 'crypto-orders', 'list'),
  list: (filter: object) => key('sender', 'crypto-orders', 'list', filter),
  one: (id: string) => key('sender', 'crypto-orders', 'one', id),
};
