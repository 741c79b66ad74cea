import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { MantineProvider } from '@mantine/core';
import { useNotifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { queryClient } from '../data/query-client.ts';
import { askWhoIsSignedIn, followOtherTabs, useSession } from '../data/session.ts';
import { connectLive } from '../lib/live.ts';
import { AppError } from './app-error.tsx';
import { cssVariables, theme } from './theme.ts';

/** After the page: until they are there, toasts wait in their queue. */
const Toasts = lazy(() => import('./toasts.tsx'));

/** Theme, data, live connection and toasts for everything inside, and the last resort when something outside the pages breaks. */
export function Providers({ children }: { children: ReactNode }) {
  // From here on buttons listen (global.css).
  useEffect(() => document.documentElement.setAttribute('data-hydrated', ''), []);
  return (
    <ErrorBoundary FallbackComponent={AppError}>
      <I18nProvider i18n={i18n}>
        <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
          <QueryClientProvider client={queryClient}>
            <ErrorBoundary fallback={<PlainToasts />}>
              <Suspense>
                <Toasts />
              </Suspense>
            </ErrorBoundary>
            <LiveConnection />
            {children}
          </QueryClientProvider>
        </MantineProvider>
      </I18nProvider>
    </ErrorBoundary>
  );
}

/** Keeps the page connected, anew whenever another person signs in or out. */
function LiveConnection() {
  const { data, isPending } = useSession();
  const token = data?.token ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the token decides which rooms the server puts us in
  useEffect(
    () => (isPending ? undefined : connectLive(queryClient, () => void askWhoIsSignedIn(queryClient))),
    [token, isPending],
  );
  useEffect(() => followOtherTabs(queryClient), []);
  return null;
}

/** Toasts without look or motion, for when the file that shows them did not come: no message may be lost with it. */
function PlainToasts() {
  return (
    <div className="cq-plain-toasts" role="alert">
      {useNotifications().notifications.map(({ id, title, message }) => (
        <p key={id}>
          <strong>{title}</strong> {message}
        </p>
      ))}
    </div>
  );
}
