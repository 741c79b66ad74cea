import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { create } from 'zustand';
import { ApiFailure, isSignedOut } from '../lib/http.ts';
import { forgetStoredSession } from '../lib/storage.ts';
import { sessionKey } from './query-keys.ts';

/**
 * Data do not become stale with time: the server pushes what changed, and after every (re)connect everything is fetched
 * again (live.ts). Nothing is retried by itself; views offer a retry button. Without a connection calls fail at once:
 * TanStack's default would keep an approval or a payment and perform it, unasked, when the connection returns.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEndOfSession }),
  mutationCache: new MutationCache({ onError: noticeEndOfSession }),
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
      refetchOnWindowFocus: false,
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** No session ended yet. */
export const noEnd = { unasked: false, requested: false, idle: false };

/**
 * How the last session of this page ended, until the next one starts: its person signed out (`requested`), or it ended by itself
 * (`unasked`), also for want of use (`idle`).
 */
export const useSessionEnd = create<{ unasked: boolean; requested: boolean; idle: boolean }>(() => noEnd);

/** Keeps for the login page that the session ended by itself, and why. */
export function noteUnaskedEnd(error: unknown): void {
  useSessionEnd.setState({
    unasked: true,
    requested: false,
    idle: error instanceof ApiFailure && error.details.reason === 'idle',
  });
}

/** When the server no longer knows the session, so does this page: the guards then lead to the login page. */
export function noticeEndOfSession(error: unknown): void {
  if (!isSignedOut(error)) return;
  forgetStoredSession();
  if (!queryClient.getQueryData(sessionKey)) return;
  noteUnaskedEnd(error);
  queryClient.setQueryData(sessionKey, null);
}

/** What rows of lists are remembered in. Apart from the collections: the first page of a visitor needs to know none of them. */
const memories = new Set<{ forget(): void }>();

/** Has a memory forgotten together with all others. */
export function rememberedBy(memory: { forget(): void }): void {
  memories.add(memory);
}

/** Forgets the rows of all collections, as when another person signs in. */
export function forgetRows(): void {
  for (const memory of memories) memory.forget();
}
