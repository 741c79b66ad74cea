import { Outlet, type RouteObject } from 'react-router';
import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { queryClient } from '../data/query-client.ts';
import { sessionKey } from '../data/query-keys.ts';
import { askWhoIsSignedIn, followOtherTabs } from '../data/session.ts';
import { Guard } from '../features/shell/guard.tsx';
import { draftEntry, storeSession } from '../lib/storage.ts';
import { covers } from '../testing/conformance.ts';
import { installFakeApi } from '../testing/fake-api.ts';
import { installFakeLive } from '../testing/fake-live.ts';
import { expectKeyboardDialog } from '../testing/keyboard-dialog.ts';
import { adminSession, renderApp, senderSession } from '../testing/render-app.tsx';
import { Frame } from './frame.tsx';

const api = installFakeApi();
const live = installFakeLive();

let homeFile = async (): Promise<void> => undefined;
beforeEach(() => {
  homeFile = async () => undefined;
});

const routes: RouteObject[] = [
  {
    element: (
      <Frame>
        <Outlet />
      </Frame>
    ),
    children: [
      {
        path: '/',
        lazy: async () => {
          await homeFile();
          return {};
        },
        element: (
          <>
            <h1>Inicio</h1>
            <section id="calculator" style={{ marginTop: 2000, height: 900 }}>
              Calculadora de prueba
            </section>
            <section id="faq" style={{ height: 900 }}>
              Preguntas de prueba
            </section>
          </>
        ),
      },
      { path: '/ayuda', element: <h1>Ayuda</h1> },
      { path: '/admin', element: <h1>Administración</h1> },
      { path: '/login', element: <h1>Iniciar Sesión</h1> },
      { element: <Guard admin={false} />, children: [{ path: '/dashboard', element: <h1>Panel</h1> }] },
    ],
  },
];

const field = (testid: string) => page.getByTestId(testid);

async function open(address: string, session: typeof senderSession | null = senderSession) {
  await page.viewport(1280, 900);
  if (session) storeSession(session);
  api.answer({
    me: () => session ?? { failure: 'unauthenticated', status: 401 },
    paymentConfig: () => ({ publishableKey: 'pk_test_1', scriptUrl: null, mode: 'sandbox' }),
  });
  const { router } = await renderApp(routes, address);
  await expect.element(page.getByRole('heading').first()).toBeVisible();
  return router;
}

/** Asserts that a part of the page is on screen and has the focus. */
async function expectAt(id: string) {
  await expect.poll(() => document.activeElement?.id).toBe(id);
  const top = () => document.getElementById(id)?.getBoundingClientRect().top;
  await expect.poll(top).toBeLessThan(window.innerHeight / 2);
  expect(top()).toBeGreaterThanOrEqual(-1);
}

test('links to parts of the front page lead there from every page, by pointer and from the small menu', async () => {
  const router = await open('/ayuda', null);
  await field('footer-faq').click();
  await expectAt('faq');
  await field('nav-calculator').click();
  await expectAt('calculator');
  await page.viewport(390, 844);
  await router.navigate('/ayuda');
  await expect.element(page.getByRole('heading', { name: 'Ayuda' })).toBeVisible();
  await field('nav-menu').click();
  await field('nav-calculator-small').click();
  await expectAt('calculator');
  await expect.element(field('nav-faq-small')).not.toBeInTheDocument();
  covers('rule small menu');
});

test('the menus of the bar open by keyboard: on large screens that of the account, on small ones that of the pages', async () => {
  await open('/dashboard');
  const menu = { role: 'menu', onlyHere: true } as const;
  await expectKeyboardDialog('features/shell/account-menu.tsx', field('nav-avatar'), menu);
  await userEvent.keyboard('{Escape}');
  await expect.element(field('nav-avatar')).toHaveFocus();
  await page.viewport(390, 844);
  await expectKeyboardDialog('features/shell/small-menu.tsx', field('nav-menu'), { onlyHere: true });
});

test('only an admin sees the link to the administration', async () => {
  await open('/dashboard');
  await field('nav-avatar').click();
  await expect.element(page.getByText(senderSession.user.email, { exact: true })).toBeVisible();
  await expect.element(field('nav-admin')).not.toBeInTheDocument();
});

test('a small menu opened while the session loads stays open when it has come, and closes with Escape', async () => {
  const loaded = Promise.withResolvers<typeof senderSession>();
  storeSession(senderSession);
  await page.viewport(390, 844);
  api.answer({
    me: () => loaded.promise,
    paymentConfig: () => ({ publishableKey: 'pk_test_1', scriptUrl: null, mode: 'sandbox' }),
  });
  await renderApp(routes, '/ayuda');
  await field('nav-menu').click();
  await expect.element(page.getByRole('dialog')).toBeVisible();
  loaded.resolve(senderSession);
  await expect.element(field('nav-dashboard-small')).toHaveTextContent('Mi Panel');
  await expect.element(field('nav-admin-small')).not.toBeInTheDocument();
  await userEvent.keyboard('{Escape}');
  await expect.element(field('nav-dashboard-small')).not.toBeInTheDocument();
  covers('rule small menu');
});

test('an admin sees the link to the administration, and the bar marks the page that is shown, whatever follows its path', async () => {
  const router = await open('/dashboard', adminSession);
  await expect.element(field('nav-admin')).toBeVisible();
  covers('rule admin link');
  const marked = () => [...document.querySelectorAll('header [aria-current]')].map(({ textContent }) => textContent);
  for (const [address, link] of [
    ['/dashboard?envio=1', 'Mi Panel'],
    ['/admin?tab=users', 'Admin'],
    ['/#calculator', 'Calculadora'],
  ] as const) {
    await router.navigate(address);
    await expect.poll(marked).toEqual([link]);
  }
});

describe('signing out', () => {
  async function pressSignOut() {
    await field('nav-avatar').click();
    await field('nav-logout').click();
  }

  async function signOut() {
    await pressSignOut();
    await expect.element(page.getByRole('heading', { name: 'Inicio' })).toBeVisible();
  }

  const logouts = () => api.calls.filter(({ name }) => name === 'logout').length;

  test('signing out forgets the session and goes to the front page', async () => {
    const router = await open('/dashboard');
    const visited: string[] = [];
    router.subscribe(({ location }) => void visited.push(location.pathname));
    api.answer({ logout: () => undefined });
    await signOut();
    await expect.element(field('nav-login')).toBeVisible();
    expect(visited).not.toContain('/login');
    expect([localStorage.getItem('auth_token'), localStorage.getItem('user_data')]).toEqual([null, null]);
    expect(logouts()).toBe(1);
    covers('rule logout');
  });

  test('signing out ends the session although the file of the front page does not come', async () => {
    // As the router does with a file that is missing: it reloads the page, and the navigation never ends.
    homeFile = () => new Promise(() => undefined);
    await open('/dashboard');
    api.answer({ logout: () => undefined });
    await pressSignOut();
    await expect.element(page.getByRole('heading', { name: 'Saliste de tu cuenta' })).toBeVisible();
    // The page does not wait for the server.
    await expect.poll(logouts).toBe(1);
    expect(localStorage.getItem('auth_token')).toBeNull();
  });

  test('signing out without a connection ends the session on this page and says that the server still has it', async () => {
    homeFile = () => new Promise(() => undefined);
    await open('/dashboard');
    localStorage.setItem(draftEntry, '{}');
    api.answer({ logout: () => 'no connection' });
    await pressSignOut();
    await expect.element(page.getByText('Tu sesión sigue abierta en el servidor')).toBeVisible();
    await expect.element(page.getByRole('heading', { name: 'Saliste de tu cuenta' })).toBeVisible();
    await expect.element(field('nav-login')).toBeVisible();
    expect([localStorage.getItem('auth_token'), localStorage.getItem(draftEntry)]).toEqual([null, null]);
    api.answer({ logout: () => undefined });
    live.connect();
    await expect.element(page.getByText('Cerramos tu sesión')).toBeVisible();
    expect(logouts()).toBe(2);
    live.disconnect();
    live.connect();
    await expect.poll(() => queryClient.isFetching()).toBe(0);
    expect(logouts()).toBe(2);
  });

  test('a session response that arrives after signing out is ignored', async () => {
    await open('/dashboard');
    await expect.element(field('nav-avatar')).toBeVisible();
    const held = Promise.withResolvers<typeof senderSession>();
    api.answer({ me: () => held.promise, logout: () => undefined });
    const pending = askWhoIsSignedIn(queryClient);
    await signOut();
    held.resolve(senderSession);
    await pending;
    await expect.element(field('nav-login')).toBeVisible();
    expect([queryClient.getQueryData(sessionKey), localStorage.getItem('auth_token')]).toEqual([null, null]);
  });

  test('a tab follows another one that cleared the whole storage', async () => {
    await open('/dashboard');
    await expect.element(page.getByRole('heading', { name: 'Panel' })).toBeVisible();
    const stop = followOtherTabs(queryClient);
    localStorage.clear();
    window.dispatchEvent(new StorageEvent('storage', { key: null }));
    await expect.element(page.getByRole('heading', { name: 'Iniciar Sesión' })).toBeVisible();
    stop();
  });

  test('signing out of a session that the server has ended already says nothing of it', async () => {
    await open('/dashboard');
    api.answer({ logout: () => ({ failure: 'unauthenticated', status: 401 }) });
    await signOut();
    await expect.element(field('nav-login')).toBeVisible();
    await expect.element(page.getByText('Tu sesión sigue abierta en el servidor')).not.toBeInTheDocument();
  });
});

test('a rate that a sender waited for is announced once on every page', async () => {
  await open('/ayuda');
  await expect.element(field('nav-avatar')).toBeVisible();
  const fired = {
    id: '0199b2d0-0000-4000-8000-00000000aaaa',
    currency: 'EUR',
    rate: '13.40',
    createdAt: '2026-11-20T14:00:00.000Z',
    firedAt: '2026-11-21T14:00:00.000Z',
    firedRate: '13.41',
  } as const;
  // The file that follows the event comes after the page.
  await import('../features/rates/fired-alert-toast.ts');
  live.push('rate-alert:fired', fired);
  await expect.element(page.getByText(/1\sEUR = 13,41\sBs.*Pediste el aviso para 13,40/)).toBeVisible();
  live.push('rate-alert:fired', fired);
  expect(page.getByText(/Pediste el aviso para 13,40/).elements()).toHaveLength(1);
});

test('the page says whether changes arrive by themselves, and asks again for what it missed', async () => {
  const router = await open('/dashboard');
  const status = field('live-status');
  await expect.element(status).toHaveAttribute('data-state', 'reconnecting');
  live.connect();
  await expect.element(status).toHaveTextContent('En vivo');
  live.disconnect();
  await expect.element(status).toHaveTextContent('Reconectando…');
  await expect.poll(() => queryClient.isFetching()).toBe(0);
  api.answer({ me: () => ({ ...senderSession, user: { ...senderSession.user, name: 'Rosa Quispe' } }) });
  live.connect();
  await expect.poll(() => queryClient.getQueryData(sessionKey)).toMatchObject({ user: { name: 'Rosa Quispe' } });
  expect(router.state.location.pathname).toBe('/dashboard');
});

test('a session that the server ended sends the person to the sign-in page when the live connection is refused', async () => {
  await open('/dashboard');
  live.connect();
  await expect.poll(() => queryClient.isFetching()).toBe(0);
  api.answer({ me: () => ({ failure: 'unauthenticated', status: 401 }) });
  live.disconnect('io server disconnect');
  await expect.element(page.getByRole('heading', { name: 'Iniciar Sesión' })).toBeVisible();
});
