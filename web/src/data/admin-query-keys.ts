import { key } from './query-keys.ts';

// Apart from the others, which every page loads.

/** What administrators see. */
export const adminKeys = {
  all: key('admin'),
  stats: key('admin', 'stats'),
  allUsers: key('admin', 'users'),
  usersLists: key('admin', 'users', 'list'),
  users: (search: string) => key('admin', 'users', 'list', search),
  waitingChecks: key('admin', 'users', 'identity-checks'),
  user: (id: string) => key('admin', 'users', 'one', id),
};

export const adminTransferKeys = {
  lists: key('admin', 'transfers', 'list'),
  list: (filter: object) => key('admin', 'transfers', 'list', filter),
  one: (id: string) => key('admin', 'transfers', 'one', id),
};

export const reviewKeys = {
  all: key('admin', 'reviews'),
  list: key('admin', 'reviews', 'list'),
  one: (id: string) => key('admin', 'reviews', 'one', id),
  questions: (id: string) => key('admin', 'reviews', 'questions', id),
};

export const rateDeskKeys = {
  desk: key('admin', 'rates', 'desk'),
  changes: key('admin', 'rates', 'changes'),
  sources: key('admin', 'rates', 'sources'),
};

/** Stops of captures and payouts. */
export const moneyStopKeys = {
  active: key('admin', 'money-stops'),
};

/** Queues of work. */
export const queueKeys = {
  paused: key('admin', 'queues', 'paused'),
  ofTransfer: (id: string) => key('admin', 'queues', 'transfer', id),
};

/** Our books beside what Stripe and the bank say. */
export const reconciliationKeys = {
  all: key('admin', 'reconciliation'),
  overview: key('admin', 'reconciliation', 'overview'),
  open: key('admin', 'reconciliation', 'open'),
  profit: (id: string) => key('admin', 'reconciliation', 'profit', id),
  exceptions: (filter: object) => key('admin', 'reconciliation', 'exceptions', filter),
};

/** Where partners are sent events, and what was sent. */
export const webhookKeys = {
  all: key('admin', 'webhooks'),
  list: key('admin', 'webhooks', 'list'),
  deliveries: (id: string) => key('admin', 'webhooks', 'deliveries', id),
};

export const deskCaseKeys = {
  all: key('admin', 'cases'),
  lists: key('admin', 'cases', 'list'),
  list: (filter: object) => key('admin', 'cases', 'list', filter),
  one: (id: string) => key('admin', 'cases', 'one', id),
  /** Apart: what is about all cases reads their rows. */
  accounts: (id: string) => key('admin', 'case-accounts', id),
};

/** Problems that senders reported. */
export const adminComplaintKeys = {
  all: key('admin', 'complaints'),
  lists: key('admin', 'complaints', 'list'),
  list: (filter: object) => key('admin', 'complaints', 'list', filter),
  one: (id: string) => key('admin', 'complaints', 'one', id),
  accounts: (id: string) => key('admin', 'complaints', 'accounts', id),
};

/** What is due, held, owed and open. */
export const figuresKey = key('admin', 'figures');

/** Who did what. */
export const auditKeys = {
  all: key('admin', 'audit'),
  list: (filter: object) => key('admin', 'audit', 'list', filter),
};
