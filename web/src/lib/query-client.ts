import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiFailure } from './http.ts';
import { forgetStoredSession, sessionKey } from './session-storage.ts';

/**
 * Nothing goes stale by itself: the server pushes what changed, and after every (re)connect all of it is asked for again
 * (live.ts). Nothing is retried behind a person's back either; lists offer to try again.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEndOfSession }),
  mutationCache: new MutationCache({ onError: noticeEndOfSession }),
  defaultOptions: {
    queries: { staleTime: Number.POSITIVE_INFINITY, retry: false, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
});

/** When the server no longer knows the session, so does this page: the guards then lead to the login page. */
export function noticeEndOfSession(error: unknown): void {
  if (!(error instanceof ApiFailure) || error.code !== 'unauthenticated') return;
  forgetStoredSession();
  queryClient.setQueryData(sessionKey, null);
}
