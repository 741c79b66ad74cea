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
import { toastDone, toastError } from '../lib/toast.ts';
import { forgetRows, noEnd, noteUnaskedEnd, useSessionEnd } from './query-client.ts';
import { isPersonal, sessionKey } from './query-keys.ts';

/** Storage key, shared by all tabs, of a sign-out that has not reached the server. */
const signOutEntry = 'chasqui_sign_out';

/**
 * The session on the server; null for a visitor. Requested only if this browser may be signed in, after any sign-out that has not
 * reached the server.
 */
export const sessionQuery = queryOptions<SessionView | null>({
  queryKey: sessionKey,
  queryFn: async ({ signal }) => {
    if (localStore.getItem(signOutEntry)) {
      try {
        await endOnServer();
        toastDone(t`Cerramos tu sesión`, t`También en el servidor.`);
      } catch {
        return null;
      }
    }
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
  localStore.removeItem(signOutEntry);
  useSessionEnd.setState(noEnd);
  forgetPersonalData(queryClient);
  setSession(queryClient, session);
}

/** Forgets on this page who was signed in, and what they had typed. */
export function leaveSession(queryClient: QueryClient): void {
  forgetStoredSession();
  useSessionEnd.setState({ ...noEnd, requested: true });
  setSession(queryClient, null);
  forgetPersonalData(queryClient);
  localStore.removeItem(draftEntry);
}

/** An answer still on its way was given about the session before. */
function setSession(queryClient: QueryClient, session: SessionView | null): void {
  void queryClient.cancelQueries({ queryKey: sessionKey });
  queryClient.setQueryData(sessionKey, session);
}

/**
 * Ends the session on this page at once, and on the server. If the server cannot be reached, a message says so and the sign-out is sent again
 * before the next session request. Resolves to whether the server ended it. Never throws.
 */
export function useLogout(): () => Promise<boolean> {
  const queryClient = useQueryClient();
  return useCallback(async () => {
    leaveSession(queryClient);
    try {
      await endOnServer();
      return true;
    } catch {
      localStore.setItem(signOutEntry, '1');
      toastError(
        t`Tu sesión sigue abierta en el servidor`,
        t`No hubo conexión. La cerramos en cuanto vuelva: hasta entonces no dejes este equipo.`,
        false,
      );
      return false;
    }
  }, [queryClient]);
}

/**
 * Ends the session on the server: its cookie is out of a script's reach.
 * @throws ApiFailure when the server did not confirm it
 */
async function endOnServer(): Promise<void> {
  try {
    await call('logout', { keepalive: true });
  } catch (error) {
    if (!isSignedOut(error)) throw error;
  }
  localStore.removeItem(signOutEntry);
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
    // Without a key the whole storage was cleared.
    if (event.key !== null && (event.key !== 'auth_token' || event.oldValue === event.newValue)) return;
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
