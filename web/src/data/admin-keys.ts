// Apart from the keys of public pages, which load none of these.
import { key } from './make-key.ts';

/** What administrators see. */
export const adminKeys = {
  all: key('admin'),
  stats: key('admin', 'stats'),
  allUsers: key('admin', 'users'),
  users: (search: string) => key('admin', 'users', search),
};

export const adminTransferKeys = {
  lists: key('admin', 'transfers', 'list'),
  list: (filter: object) => key('admin', 'transfers', 'list', filter),
  one: (id: string) => key('admin', 'transfers', 'one', id),
};

export const rateDeskKeys = {
  desk: key('admin', 'rates', 'desk'),
  changes: key('admin', 'rates', 'changes'),
  sources: key('admin', 'rates', 'sources'),
};

export const deskCaseKeys = {
  all: key('admin', 'cases'),
  lists: key('admin', 'cases', 'list'),
  list: (filter: object) => key('admin', 'cases', 'list', filter),
  one: (id: string) => key('admin', 'cases', 'one', id),
};
