/// <reference types="vite/client" />

/** Settings of zod, which it reads when it is loaded (as `z.config` writes them). */
declare var __zod_globalConfig: { jitless?: boolean } | undefined;

/** A catalogue, compiled by web/messages-plugin.ts. */
declare module '*.po' {
  export const messages: import('@lingui/core').Messages;
}
