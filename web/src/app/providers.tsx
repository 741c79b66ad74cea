import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { firstInteraction } from '../lib/first-interaction.ts';
import { queryClient } from '../lib/query-client.ts';
import { AppError } from './app-error.tsx';
import { PlainToasts } from './plain-toasts.tsx';
import { cssVariables, theme } from './theme.ts';

/** After the page: until they are there, toasts wait in their queue. */
const Toasts = lazy(async () => {
  await firstInteraction;
  return import('./toasts.tsx');
});

/** Theme, data and toasts for everything inside, and the last resort when something outside the pages breaks. */
export function Providers({ children }: { children: ReactNode }) {
  // From here on buttons listen (global.css).
  useEffect(() => document.getElementById('root')?.removeAttribute('data-prerendered'), []);
  return (
    <ErrorBoundary FallbackComponent={AppError}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <QueryClientProvider client={queryClient}>
          <ErrorBoundary fallback={<PlainToasts />}>
            <Suspense>
              <Toasts />
            </Suspense>
          </ErrorBoundary>
          {children}
        </QueryClientProvider>
      </MantineProvider>
    </ErrorBoundary>
  );
}
