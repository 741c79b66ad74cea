import { key } from './query-keys.ts';

// Apart from the others, which every page loads.

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
  identity: key('sender', 'account', 'identity'),
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

/** What a link about a changed e-mail address does. */
export const emailLinkKey = (token: string) => key('sender', 'email-link', token);

/** Whom a link for a new password is for. */
export const passwordResetKey = (token: string) => key('sender', 'password-reset-link', token);

export const helpKeys = { contact: key('public', 'help-contact') };
