import { Outlet, type RouteObject } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { SessionView } from '#core/contracts/http/auth';
import { adminNews, secondPersonSubjects, senderNews } from '#core/notifications/news';
import { Frame } from '../../app/frame.tsx';
import type { NewsItem } from '../../data/news.ts';
import { queryClient } from '../../data/query-client.ts';
import { sessionKey } from '../../data/query-keys.ts';
import { localStore, storeSession } from '../../lib/storage.ts';
import { expectEnglishOnly, showEnglish } from '../../testing/english.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { installFakeLive } from '../../testing/fake-live.ts';
import { expectKeyboardDialog } from '../../testing/keyboard-dialog.ts';
import { adminSession, renderApp, senderSession } from '../../testing/render-app.tsx';
import { newsText } from './news-texts.ts';

const api = installFakeApi();
const live = installFakeLive();

/** Another page of the product takes the place of the first by its link. */
const routes: RouteObject[] = [
  {
    element: (
      <Frame>
        <Outlet />
      </Frame>
    ),
    children: [
      { path: '/ayuda', element: <h1>Ayuda</h1> },
      { path: '/dashboard', element: <h1>Panel</h1> },
    ],
  },
];

const deposited: NewsItem = {
  ...{ id: '6d9a2b0e-54a1-4a1c-8f43-3b1f6a0f9d01:6', kind: 'deposited', at: '2026-11-20T15:00:00.000Z' },
  ...{ unread: true, current: true, subject: null, repeat: null },
  transfer: {
    ...{ id: '6d9a2b0e-54a1-4a1c-8f43-3b1f6a0f9d01', reference: 'TR120499213465692', person: 'Juana Mamani' },
    ...{ amount: '100.00', currency: 'EUR', bolivianos: '1291.17', returned: '0.00', payoutReturned: '0.00' },
  },
};
const approved: NewsItem = {
  ...{ ...deposited, id: '6d9a2b0e-54a1-4a1c-8f43-3b1f6a0f9d01:3', kind: 'approved' },
  ...{ at: '2026-11-20T14:30:00.000Z' },
};

let news: NewsItem[];
const toast = page.getByTestId('news-toast');
const bell = page.getByTestId('news-bell');
const count = () => news.filter(({ unread }) => unread).length;

beforeEach(() => {
  news = [];
  document.title = 'Página de prueba';
  localStore.removeItem('chasqui_news_shown');
});

async function open(session: SessionView = senderSession) {
  await page.viewport(1280, 900);
  storeSession(session);
  api.answer({
    me: () => session,
    paymentConfig: () => ({ publishableKey: 'pk_test_1', scriptUrl: null, mode: 'sandbox' }),
    listNews: () => ({ items: news, nextCursor: null, unread: count() }),
    readNews: () => {
      news = news.map((item) => ({ ...item, unread: false }));
      return undefined;
    },
  });
  const rendered = await renderApp(routes, '/ayuda');
  await expect.element(bell).toBeVisible();
  await expect.poll(() => api.calls.some(({ name }) => name === 'listNews')).toBe(true);
  return rendered;
}

/** What the server knows changes, and it says that something did. */
function happen(next: NewsItem[]) {
  news = next;
  live.push('news:read', { until: '2026-11-20T00:00:00.000Z' });
}

test('news come as a toast, a count on the bell and in the title of the tab, and opening the list reads them', async () => {
  await open();
  // The first answer is what this browser starts from.
  await expect.poll(() => localStore.getItem('chasqui_news_shown')).not.toBeNull();
  happen([deposited]);
  await expect.element(toast).toMatchTextContent(/El banco confirmó el depósito/);
  await expect.element(toast).toMatchTextContent(/Bs 1\.291,17 para Juana Mamani\./);
  await expect.element(page.getByTestId('news-count')).toMatchTextContent(/1/);
  await expect.element(bell).toHaveAccessibleName('Novedades: 1 sin leer');
  expect(document.title).toBe('(1) Página de prueba');
  // Another page names the tab anew.
  document.title = 'Otra página';
  await expect.poll(() => document.title).toBe('(1) Otra página');
  await bell.click();
  await expect.element(page.getByTestId('news-item')).toMatchTextContent(/Nuevo/);
  await expect.poll(() => document.title).toBe('Otra página');
  await expect.element(toast).not.toBeInTheDocument();
  await expect.element(bell).toHaveAccessibleName('Novedades');
  expect(api.calls.filter(({ name }) => name === 'readNews').map(({ body }) => body)).toEqual([
    { until: deposited.at },
  ]);
  await page.getByTestId('news-item').click();
  await expect.element(page.getByRole('heading', { name: 'Panel' })).toBeVisible();
});

test("on a phone a toast leaves a dialog's buttons free", async () => {
  await open();
  await expect.poll(() => localStore.getItem('chasqui_news_shown')).not.toBeNull();
  await page.viewport(390, 844);
  const dialog = document.createElement('div');
  dialog.innerHTML =
    '<div class="cq-dialog-actions" style="position: fixed; inset: auto 0 0"><button style="min-height: 44px">Guardar</button></div>';
  document.body.append(dialog);
  happen([deposited]);
  await expect.element(toast).toBeVisible();
  const shown = toast.element().getBoundingClientRect();
  const buttons = page.getByRole('button', { name: 'Guardar' }).element().getBoundingClientRect();
  expect(shown.bottom).toBeLessThan(buttons.top);
  expect(shown.top).toBeGreaterThan(0);
});

test('a toast goes when something followed what it says, and when it was read in another browser', async () => {
  await open();
  await expect.poll(() => localStore.getItem('chasqui_news_shown')).not.toBeNull();
  happen([approved]);
  await expect.element(toast).toMatchTextContent(/Ahora se cobra tu tarjeta/);
  happen([{ ...approved, current: false }]);
  await expect.element(toast).not.toBeInTheDocument();
  happen([deposited, { ...approved, current: false }]);
  await expect.element(toast).toMatchTextContent(/El banco confirmó el depósito/);
  await expect.element(toast).not.toMatchTextContent(/más/);
  happen([deposited, approved].map((item) => ({ ...item, unread: false })));
  await expect.element(toast).not.toBeInTheDocument();
  await expect.poll(() => document.title).toBe('Página de prueba');
});

test('news of a lost connection are shown when it is back, once, and not again after a reload', async () => {
  const { screen } = await open();
  live.connect();
  await expect.poll(() => localStore.getItem('chasqui_news_shown')).not.toBeNull();
  live.disconnect();
  news = [deposited, approved];
  live.connect();
  await expect.element(toast).toMatchTextContent(/Y 1 novedad más\./);
  await toast.getByRole('button', { name: 'Cerrar aviso' }).click();
  await expect.element(toast).not.toBeInTheDocument();
  const asked = () => api.calls.filter(({ name }) => name === 'listNews').length;
  const before = asked();
  live.connect();
  await expect.poll(asked).toBeGreaterThan(before);
  await expect.element(toast).not.toBeInTheDocument();
  await screen.unmount();
  queryClient.clear();
  await open();
  await expect.poll(() => document.title).toBe('(2) Página de prueba');
  await expect.element(toast).not.toBeInTheDocument();
});

test('of several visible tabs the one that came first announces, and another one when it goes', async () => {
  const left = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  void navigator.locks.request('chasqui-news', () => {
    held.resolve();
    return left.promise;
  });
  await held.promise;
  localStore.setItem('chasqui_news_shown', `${senderSession.user.id} `);
  news = [deposited];
  await open();
  await expect.poll(() => document.title).toBe('(1) Página de prueba');
  await expect.element(toast).not.toBeInTheDocument();
  left.resolve();
  await expect.element(toast).toBeVisible();
});

test('the end of the session takes the toast away and gives the title back', async () => {
  await open();
  await expect.poll(() => localStore.getItem('chasqui_news_shown')).not.toBeNull();
  happen([deposited]);
  await expect.element(toast).toBeVisible();
  queryClient.setQueryData(sessionKey, null);
  await expect.element(toast).not.toBeInTheDocument();
  await expect.element(bell).not.toBeInTheDocument();
  await expect.poll(() => document.title).toBe('Página de prueba');
});

test('the list of news opens by keyboard at any width', async () => {
  news = [
    { ...deposited, unread: false },
    { ...approved, unread: false, current: false },
  ];
  await open();
  await expectKeyboardDialog('features/news/news-dialog.tsx', bell, {
    ready: () => expect.element(page.getByTestId('news-item').first()).toBeVisible(),
  });
  await userEvent.keyboard('{Escape}');
});

test('an admin sees what waits, each with where it is to be done', async () => {
  await open(adminSession);
  await expect.poll(() => localStore.getItem('chasqui_news_shown')).not.toBeNull();
  happen([{ ...deposited, id: deposited.transfer?.id ?? '', kind: 'to_decide' }]);
  await expect.element(toast).toMatchTextContent(/Un envío espera tu decisión/);
  await expect.element(toast).toMatchTextContent(/100,00 EUR de Juana Mamani, TR120499213465692/);
  await expect
    .element(toast.getByRole('link'))
    .toHaveAttribute('href', '/admin?transfer=6d9a2b0e-54a1-4a1c-8f43-3b1f6a0f9d01');
  // A colleague decided.
  happen([]);
  await expect.element(toast).not.toBeInTheDocument();
});

test('every kind of news has its sentences in English, and asks for nothing any more once something followed', async () => {
  await showEnglish();
  const all = [...senderNews, ...adminNews].flatMap((kind) =>
    [true, false].flatMap((current) =>
      (kind === 'second_person' ? secondPersonSubjects : [null]).map((subject, index) => ({
        ...{ ...deposited, kind, current, subject, unread: false },
        id: `${deposited.transfer?.id}:${kind}${current}${index}`,
      })),
    ),
  );
  const past = all.filter(({ current }) => !current).map((item) => newsText(item).message);
  expect(past.join(' ')).not.toMatch(/Correct|We will write to you to pay|is being charged|on its way/);
  news = all;
  await open();
  await bell.click();
  await expect.poll(() => page.getByTestId('news-item').elements().length).toBe(all.length);
  expectEnglishOnly('Juana Mamani', 'Ayuda', 'Página de prueba');
});
