import type { AppQueryKey, Scope } from './app-query-key.ts';

/** Makes a query key. For the factories alone: an import rule keeps everybody else from it. */
export const key = (scope: Scope, ...parts: readonly unknown[]) => [scope, ...parts] as unknown as AppQueryKey;
