import type { Messages } from '@lingui/core';

/** The English texts that public pages may show. */
export const messages: Messages = Object.assign(
  {},
  ...Object.values(
    import.meta.glob(
      [
        '../messages/en/{app,data,lib,routes,ui}.po',
        '../messages/en/{account,calculator,comparison,help,landing,legal,news,rates,shared,shell}.po',
      ],
      { eager: true, import: 'messages' },
    ),
  ),
);
