import { Outlet, type RouteObject } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { TransferView } from '#core/contracts/http/transfers';
import { Frame } from '../app/frame.tsx';
import { queryClient } from '../data/query-client.ts';
import { storeSession } from '../lib/storage.ts';
import { expectAccessibleInBothSchemes } from '../testing/accessibility.ts';
import { installFakeApi } from '../testing/fake-api.ts';
import { installFakeLive } from '../testing/fake-live.ts';
import { renderApp, senderSession } from '../testing/render-app.tsx';
import { emptyPanel, emptySummary, juana } from '../testing/sample-panel.ts';
import { sampleBanks } from '../testing/sample-rates.ts';
import { paidTransfer } from '../testing/sample-transfer.ts';
import DashboardPage from './dashboard.tsx';
import SignedIn from './signed-in.tsx';

const api = installFakeApi();
installFakeLive();

const addresses = ['/dashboard', '/dashboard/envios', '/dashboard/destinatarios', '/dashboard/tasas'] as const;

const routes: RouteObject[] = [
  {
    element: (
      <Frame>
        <Outlet />
      </Frame>
    ),
    children: [
      {
        id: 'senders-only',
        element: <SignedIn />,
        children: [
          ...addresses.map((path) => ({ path, element: <DashboardPage /> })),
          { path: '/cuenta', element: <h1>Mi cuenta</h1> },
        ],
      },
    ],
  },
];

const field = (testid: string) => page.getByTestId(testid);
const bar = field('bottom-bar');

beforeEach(async () => {
  await page.viewport(390, 844);
  const session = { ...senderSession, user: { ...senderSession.user, id: crypto.randomUUID() } };
  storeSession(session);
  api.answer({
    ...emptyPanel,
    me: () => session,
    listNews: () => ({ items: [], nextCursor: null, unread: 0 }),
    listRecipients: () => ({ items: [juana], nextCursor: null }),
    bankBoard: ({ query }) =>
      sampleBanks(Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`BNB ${index + 1}`, '9.90'])), query),
    getTransfer: () => paidTransfer,
    transferComplaints: () => ({ inTimeUntil: '2027-05-23T05:00:00.000Z', regime: 'psd2', items: [] }),
    listTransfers: () => ({
      items: Array.from({ length: 10 }, (_, index) => ({
        ...paidTransfer,
        ...{ id: `6d9a2b0e-54a1-4a1c-8f43-00000000010${index}`, status: 'completed', state: 'completed' },
      })),
      nextCursor: 'next',
    }),
  });
});

async function open(address: string) {
  const app = await renderApp(routes, address);
  await expect.element(page.getByRole('heading', { level: 1 })).toBeInTheDocument();
  return app;
}

/** What each part of the panel is known by. */
const own = {
  '/dashboard': 'send-submit',
  '/dashboard/envios': 'transfer-row',
  '/dashboard/destinatarios': 'recipient-row',
  '/dashboard/tasas': 'rate-banner',
} as const;

test.each([
  ['/dashboard', 'Enviar', 'Tu Panel de Remesas'],
  ['/dashboard/envios', 'Envíos', 'Envíos'],
  ['/dashboard/destinatarios', 'Destinatarios', 'Destinatarios'],
  ['/dashboard/tasas', 'Tasas', 'Tasas'],
] as const)(
  'on a phone %s is one part of the panel with its title, its place in the bar and its own height',
  async (address, tab, title) => {
    const { router } = await open('/cuenta');
    await bar.getByRole('link', { name: tab, exact: true }).click();
    await expect.poll(() => router.state.location.pathname).toBe(address);
    await expect.element(field(own[address]).first()).toBeVisible();
    const others = Object.values(own).filter((one) => one !== own[address]);
    for (const other of others) await expect.element(field(other)).not.toBeInTheDocument();
    await expect.poll(() => document.title).toBe(`${title} · Chasqui`);
    await expect.element(page.getByRole('main')).toHaveFocus();
    await expect.element(page.getByRole('link', { name: tab, exact: true })).toHaveAttribute('aria-current', 'page');
    expect(bar.element().querySelectorAll('[aria-current]')).toHaveLength(1);
    const links = [...bar.element().querySelectorAll('a')].map((link) => link.getBoundingClientRect());
    expect(Math.min(...links.flatMap(({ width, height }) => [width, height]))).toBeGreaterThanOrEqual(48);
    await expect.poll(() => queryClient.isFetching()).toBe(0);
    await expect.element(page.getByLabelText('Cargando')).not.toBeInTheDocument();
    expect(document.documentElement.scrollHeight).toBeLessThan(3000);
    await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
    // What ends the page stands above the bar.
    window.scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' });
    const end = document.querySelector('footer')?.getBoundingClientRect().bottom ?? 0;
    expect(Math.round(end)).toBeLessThanOrEqual(Math.round(bar.element().getBoundingClientRect().top));
    await expectAccessibleInBothSchemes();
  },
);

test('on a phone what is under way and what arrives stand on the first screen, and the limit is one line that opens', async () => {
  const underWay = (id: string, changes: Partial<TransferView>) => ({
    ...paidTransfer,
    id: `6d9a2b0e-54a1-4a1c-8f43-00000000020${id}`,
    ...changes,
  });
  const items = [
    underWay('1', { state: 'captured' }),
    underWay('2', { state: 'payout_failed', correctAccountBy: '2026-11-28T15:30:00.000Z' }),
    underWay('3', {}),
  ];
  api.answer({
    listTransfers: ({ query }) => ({ items: query.progress ? items : [], nextCursor: null }),
    dashboard: () => ({ ...emptySummary, dayLeft: '2900.00', dayLimit: '5000.00' }),
  });
  await open('/dashboard');
  await expect.element(field('under-way-row').first()).toMatchTextContent(/Corrige la cuenta/);
  await field('send-recipient').selectOptions(juana.id);
  await expect.element(field('name-check')).toBeVisible();
  await expect.element(field('breakdown-bs')).toHaveTextContent('Bs 1.114,57');
  const end = field('breakdown-bs').element().getBoundingClientRect().bottom;
  expect(end).toBeLessThanOrEqual(bar.element().getBoundingClientRect().top);
  await expect
    .element(field('send-better-rate'))
    .toHaveTextContent('Si la tasa mejora antes de aprobarlo, recibes la mejor');
  const limits = field('limits').getByText('Puedes enviar $ 2.900,00 más hoy');
  await expect.element(field('summary-total')).not.toBeVisible();
  await limits.click();
  await expect.element(field('summary-total')).toBeVisible();
  await expectAccessibleInBothSchemes();
  await field('under-way-row').first().click();
  await expect.element(field('transfer-detail')).toBeVisible();
});

test('the bar is gone on wide screens and while a keyboard covers the page, and each address leads to its part of the whole panel', async () => {
  const viewport = window.visualViewport as VisualViewport;
  const { router } = await open('/dashboard/envios');
  await expect.element(bar).toBeVisible();
  const height = vi.spyOn(viewport, 'height', 'get').mockReturnValue(500);
  viewport.dispatchEvent(new Event('resize'));
  await expect.element(bar).not.toBeInTheDocument();
  height.mockRestore();
  viewport.dispatchEvent(new Event('resize'));
  await expect.element(bar).toBeVisible();
  await page.viewport(1280, 900);
  await expect.element(bar).not.toBeInTheDocument();
  for (const id of Object.values(own)) await expect.element(field(id).first()).toBeInTheDocument();
  for (const [address, part] of [
    ['/dashboard/destinatarios', 'recipients-title'],
    ['/dashboard/envios', 'transfers'],
    ['/dashboard/tasas', 'comparison-widget-title'],
  ] as const) {
    await router.navigate(address);
    await expect.poll(() => document.activeElement?.id).toBe(part);
    await expect.poll(() => document.title).toBe('Tu Panel de Remesas · Chasqui');
  }
});

test('what is typed into a dialog stays when a phone is turned', async () => {
  await open('/dashboard/destinatarios');
  await field('recipient-add').click();
  await field('recipient-name').fill('Rosa Quispe');
  await page.viewport(844, 390);
  await expect.element(field('send-submit')).toBeInTheDocument();
  await expect.element(field('recipient-name')).toHaveValue('Rosa Quispe');
  await expect.element(field('recipient-name')).toHaveFocus();
});

test('on a phone an old link to the transfers opens their page, and one to a transfer its details', async () => {
  const { router } = await open(`/dashboard?envio=${paidTransfer.id}#transfers`);
  await expect.poll(() => router.state.location.pathname).toBe('/dashboard/envios');
  await expect.element(field('transfer-detail')).toBeVisible();
  await router.navigate(`/dashboard?envio=${paidTransfer.id}`);
  await expect.element(field('transfer-detail')).toBeVisible();
  await page.getByRole('button', { name: 'Cerrar' }).click();
  await expect.element(field('transfer-detail')).not.toBeInTheDocument();
  expect(router.state.location.pathname).toBe('/dashboard');
  await router.navigate('/dashboard?amount=150&currency=EUR#send');
  await expect.element(field('send-amount')).toHaveValue('150');
});

test('on a phone a recipient that is chosen, and a transfer that is repeated, lead to the form filled in', async () => {
  const { router } = await open('/dashboard/destinatarios');
  await field('recipient-row').click();
  await field('recipient-send').click();
  await expect.element(field('send-recipient')).toHaveValue(juana.id);
  await expect.poll(() => document.activeElement?.id).toBe('send');
  expect(router.state.location.pathname).toBe('/dashboard');
  await field('send-amount').fill('250');
  await field('tab-transfers').click();
  await field('transfer-row').first().click();
  await field('transfer-repeat').click();
  await expect.element(field('send-amount')).toHaveValue('100,00');
  await expect.element(field('send-recipient')).toHaveValue(juana.id);
  expect(router.state.location.pathname).toBe('/dashboard');
});
