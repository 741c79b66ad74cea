// Apart from the keys of public pages, which load none of these.
import { key } from './make-key.ts';

/** Whom a link for a new password is for. */
export const passwordResetKey = (token: string) => key('sender', 'password-reset-link', token);

/** The sender's transfers. The last part of a list's key is its filter. */
export const transferKeys = {
  all: key('sender', 'transfers'),
  lists: key('sender', 'transfers', 'list'),
  list: (filter: object) => key('sender', 'transfers', 'list', filter),
  one: (id: string) => key('sender', 'transfers', 'one', id),
  receipt: (id: string) => key('sender', 'transfers', 'receipt', id),
};

/** The sender's figures. */
export const summaryKey = key('sender', 'summary');

export const recipientKeys = { all: key('sender', 'recipients') };

export const rateAlertKeys = {
  lists: key('sender', 'rate-alerts', 'list'),
  list: (filter: object) => key('sender', 'rate-alerts', 'list', filter),
};

/** Purchases of USDC. */
export const cryptoKeys = {
  config: key('public', 'crypto-config'),
  lists: key('sender', 'crypto-orders', 'list'),
  list: (filter: object) => key('sender', 'crypto-orders', 'list', filter),
  one: (id: string) => key('sender', 'crypto-orders', 'one', id),
};
