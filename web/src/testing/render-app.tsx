import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import type { InitialEntry, RouteObject } from 'react-router';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { render } from 'vitest-browser-react';
import type { SessionView } from '#core/contracts/http/auth';
import { cssVariables, theme } from '../app/theme.ts';
import Toasts from '../app/toasts.tsx';
import { queryClient } from '../data/query-client.ts';

export const senderSession: SessionView = {
  token: '5e0f5f5e-6f3c-4b51-8a3b-0d5a5f3f9a10',
  user: {
    id: '0b7f3f7a-2a55-4f43-9c19-2c8f3a1d7b11',
    email: 'carmen@example.com',
    emailProven: true,
    name: 'Carmen Rojas',
    phone: null,
    city: null,
    role: 'user',
    adminRole: null,
    locale: 'es',
    birthDateKnown: true,
    preferredCurrency: null,
  },
};

export const adminSession: SessionView = {
  ...senderSession,
  user: {
    ...senderSession.user,
    id: '0199b2d0-0000-4000-8000-0000000000f0',
    name: 'Luis Choque',
    role: 'admin',
    adminRole: 'owner',
  },
};

/** Renders routes inside the providers of the app, at an address. The browser's own address stays as it is. */
export async function renderApp(routes: RouteObject[], address: InitialEntry = '/') {
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  const screen = await render(
    <I18nProvider i18n={i18n}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables}>
        <QueryClientProvider client={queryClient}>
          <Toasts />
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </I18nProvider>,
  );
  return { screen, router };
}
