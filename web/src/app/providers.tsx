import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { firstSign } from '../lib/first-sign.ts';
import { queryClient } from '../lib/query-client.ts';
import { cssVariables, theme } from './theme.ts';

/** After the page: until they are there, toasts wait in their queue. */
const Toasts = lazy(async () => {
  await firstSign;
  return import('./toasts.tsx');
});

/** Look, data and toasts, for everything inside. */
export function Providers({ children }: { children: ReactNode }) {
  // From here on buttons listen (global.css).
  useEffect(() => document.getElementById('root')?.removeAttribute('data-drawn'), []);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <Suspense>
          <Toasts />
        </Suspense>
        {children}
      </QueryClientProvider>
    </MantineProvider>
  );
}
