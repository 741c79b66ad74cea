import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { SessionView } from '#core/contracts/http/auth';
import { endpoints } from '#core/contracts/http/endpoints';
import { ApiFailure, call } from './http.ts';
import { forgetStoredSession, sessionKey, storedToken, storeSession } from './session-storage.ts';

/** Who is signed in, as the server knows it; null for a visitor. Without a stored token nobody is asked for. */
export const sessionQuery = queryOptions<SessionView | null>({
  queryKey: sessionKey,
  queryFn: async ({ signal }) => {
    if (!storedToken()) return null;
    try {
      const session = await call(endpoints.me, { signal });
      storeSession(session);
      return session;
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.code !== 'unauthenticated') throw error;
      forgetStoredSession();
      return null;
    }
  },
});

export const useSession = () => useQuery(sessionQuery);

/** Takes over a session the server just opened. What an earlier person's pages had loaded is forgotten. */
export function startSession(queryClient: QueryClient, session: SessionView): void {
  storeSession(session);
  forgetPersonalData(queryClient);
  queryClient.setQueryData(sessionKey, session);
}

/** Ends the session here and on the server. This browser forgets it even when the server cannot be told. */
export function useLogout(): () => Promise<void> {
  const queryClient = useQueryClient();
  return useCallback(async () => {
    forgetStoredSession();
    await call(endpoints.logout).catch(() => undefined);
    queryClient.setQueryData(sessionKey, null);
    forgetPersonalData(queryClient);
  }, [queryClient]);
}

/** Another tab signed in or out: this one follows. Returns how to stop following. */
export function followOtherTabs(queryClient: QueryClient): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key !== 'auth_token' && event.key !== null) return;
    if (event.oldValue === event.newValue) return;
    void queryClient.resetQueries({ predicate: isPersonal });
    void queryClient.invalidateQueries({ queryKey: sessionKey });
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}

/** Query keys begin with "public" when their data is the same for everyone. */
const isPersonal = ({ queryKey }: { queryKey: readonly unknown[] }) =>
  queryKey[0] !== sessionKey[0] && queryKey[0] !== 'public';

const forgetPersonalData = (queryClient: QueryClient) => queryClient.removeQueries({ predicate: isPersonal });
