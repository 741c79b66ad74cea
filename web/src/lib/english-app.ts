import type { Messages } from '@lingui/core';

/** The English texts of all other pages. */
export const messages: Messages = Object.assign(
  {},
  ...Object.values(
    import.meta.glob(
      [
        '../messages/en/*.po',
        // As in english-public.ts.
        '!../messages/en/{app,data,lib,routes,ui}.po',
        '!../messages/en/{account,calculator,comparison,help,landing,legal,news,rates,shared,shell}.po',
      ],
      { eager: true, import: 'messages' },
    ),
  ),
);
