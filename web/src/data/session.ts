import { t } from '@lingui/core/macro';
import { type Query, type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { SessionView } from '#core/contracts/http/auth';
import type { Locale } from '#core/locale/locale';
import { call, isSignedOut } from '../lib/http.ts';
import { chooseLanguage, chosenLanguage, language } from '../lib/language.ts';
import {
  draftEntry,
  forgetStoredSession,
  localStore,
  mayBeSignedIn,
  storedToken,
  storeSession,
} from '../lib/storage.ts';
import { toastError } from '../lib/toast.ts';
import { forgetRows, noteUnaskedEnd, useSessionEnd } from './query-client.ts';
import { isPersonal, sessionKey } from './query-keys.ts';

/** Who is signed in, as the server knows it; null for a visitor. It is asked only if this browser may be signed in. */
export const sessionQuery = queryOptions<SessionView | null>({
  queryKey: sessionKey,
  queryFn: async ({ signal }) => {
    if (!mayBeSignedIn()) return null;
    try {
      const session = await call('me', { signal });
      storeSession(session);
      return session;
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      if (storedToken()) noteUnaskedEnd(error);
      forgetStoredSession();
      return null;
    }
  },
});

export const useSession = () => useQuery(sessionQuery);

/** Takes over a session the server just opened. What an earlier person's pages had loaded is forgotten. */
export function startSession(queryClient: QueryClient, session: SessionView): void {
  storeSession(session);
  useSessionEnd.setState({ unasked: false });
  forgetPersonalData(queryClient);
  queryClient.setQueryData(sessionKey, session);
}

/** Forgets on this page who was signed in, and what they had typed. */
export function leaveSession(queryClient: QueryClient): void {
  forgetStoredSession();
  useSessionEnd.setState({ unasked: false });
  queryClient.setQueryData(sessionKey, null);
  forgetPersonalData(queryClient);
  localStore.removeItem(draftEntry);
}

/** Ends the session on this page at once, and on the server. When the server cannot be told, the person is. */
export function useLogout(): () => Promise<void> {
  const queryClient = useQueryClient();
  return useCallback(async () => {
    leaveSession(queryClient);
    try {
      await call('logout');
    } catch (error) {
      // Its cookie is out of a script's reach: only the server can end the session.
      if (!isSignedOut(error))
        toastError(
          t`Tu sesión sigue abierta en el servidor`,
          t`No hubo conexión para cerrarla. Cuando la tengas, inicia sesión y sal otra vez.`,
        );
    }
  }, [queryClient]);
}

/** More than the answer takes on a working connection; without one the choice still holds in this browser. */
const choiceMsMax = 2000;

/** Keeps on the person's row in which language they read, for their e-mails and other browsers. Never throws. */
export async function chooseReadLanguage(locale: Locale): Promise<void> {
  const signal = AbortSignal.timeout(choiceMsMax);
  await call('setLocale', { body: { locale }, keepalive: true, signal }).catch(() => undefined);
}

/**
 * Whether who just signed in reads English on their row, while this page is Spanish for want of any choice: none was made in this
 * browser. It is then kept as the choice.
 */
export function takesTheirLanguage({ user }: SessionView): boolean {
  // An English address was asked for by somebody; Spanish ones are everybody's.
  if (chosenLanguage() || language() === 'en' || user.locale === 'es') return false;
  chooseLanguage(user.locale);
  return true;
}

/** Another tab signed in or out: this one follows. Returns how to stop following. */
export function followOtherTabs(queryClient: QueryClient): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key !== 'auth_token' && event.key !== null) return;
    if (event.oldValue === event.newValue) return;
    forgetRows();
    void queryClient.resetQueries({ predicate: personal });
    void askWhoIsSignedIn(queryClient);
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}

/** Whether a query's data go away when another person signs in or out. */
const personal = ({ queryKey }: Query) => isPersonal(queryKey);

function forgetPersonalData(queryClient: QueryClient): void {
  queryClient.removeQueries({ predicate: personal });
  forgetRows();
}

/** Asks again who is signed in, as when the server hung up. */
export const askWhoIsSignedIn = (queryClient: QueryClient) => queryClient.invalidateQueries({ queryKey: sessionKey });
