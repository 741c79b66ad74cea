import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { AdminStats } from '#core/contracts/http/admin';
import { caseAddress } from '#core/contracts/page-addresses';
import { expectAccessible } from '../../testing/accessibility.ts';
import { carmen, emptyStats, openAsAdmin, sampleRates } from '../../testing/admin-panel.tsx';
import { covers, expectText } from '../../testing/conformance.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { installFakeLive } from '../../testing/fake-live.ts';
import { sampleReview, sampleTransfer } from '../../testing/sample-admin-transfer.ts';
import { sampleCase } from '../../testing/sample-case.ts';
import { AdminPanel, RefreshButton } from './admin-panel.tsx';
import { StatCards } from './overview.tsx';
import { UsersTab } from './users/users-tab.tsx';

const api = installFakeApi();
const live = installFakeLive();
beforeEach(() => page.viewport(1280, 900));

const busyStats: AdminStats = {
  dailyVolume: '1210.50',
  monthlyVolume: '15750.00',
  dailyTrend: '12.5',
  monthlyTrend: '-3.0',
  pendingTransactions: 2,
  completedTransactions: 85,
  rejectedTransactions: 5,
  totalUsers: 42,
  activeUsers: 1,
  views: { to_decide: 1, stuck: 0, today: 2 },
};

/** What the figure cards show, in order. */
const figures = () => ['daily', 'monthly', 'pending', 'users'].map((name) => page.getByTestId(`admin-stats-${name}`));

test('the admin panel of a new product shows computed figures and no placeholders', async () => {
  await openAsAdmin(api, <StatCards />);
  const [daily, monthly, pending, users] = figures();
  await expect.element(daily as never).toMatchTextContent(/^Volumen diario\$ 0,00$/);
  await expect.element(monthly as never).toMatchTextContent(/^Volumen mensual\$ 0,00$/);
  await expect.element(pending as never).toMatchTextContent(/^Transacciones pendientes00 completadas, 0 rechazadas$/);
  await expect.element(users as never).toMatchTextContent(/^Usuarios20 activos: con envíos en los últimos 30 días$/);
  covers('constant admin placeholders');
});

test('the figures of the admin panel say how they compare, who sent money lately, and lead to what waits', async () => {
  const { screen, router } = await openAsAdmin(api, <StatCards />, { adminStats: () => busyStats });
  const [daily, monthly, pending, users] = figures();
  await expect.element(daily as never).toMatchTextContent(/\$ 1\.210,50.*12,5 ?%.*ayer/);
  await expect.element(monthly as never).toMatchTextContent(/\$ 15\.750,00.*3,0 ?%.*mes anterior/);
  await expect.element(pending as never).toMatchTextContent(/285 completadas, 5 rechazadas/);
  await expect.element(users as never).toMatchTextContent(/421 activo: con envíos en los últimos 30 días/);
  covers('constant active 30 days');
  await expectAccessible();
  await screen.getByRole('link', { name: 'Ver pendientes' }).click();
  expect(router.state.location).toMatchObject({ search: '?status=pending', hash: '#lists' });
});

test('figures and people are counted again once when several transfers change', async () => {
  const both = (
    <>
      <StatCards />
      <UsersTab />
    </>
  );
  const { screen } = await openAsAdmin(api, both);
  await expect.element(screen.getByText('No se encontraron usuarios')).toBeVisible();
  const asked = (name: string) => api.calls.filter((call) => call.name === name).length;
  api.answer({ adminStats: () => busyStats, adminUsers: () => ({ items: [carmen], nextCursor: null }) });
  for (let count = 0; count < 3; count += 1) {
    live.push('admin:transfer-changed', sampleTransfer({ id: crypto.randomUUID() }));
  }
  await expect.element(screen.getByTestId('admin-user-row')).toMatchTextContent(/Carmen Rojas/);
  await expect.element(screen.getByTestId('admin-stats-users')).toMatchTextContent(/42/);
  expect([asked('adminStats'), asked('adminUsers')]).toEqual([2, 2]);
});

test('the lists of the admin panel are tabs that their address names, each empty one with its message', async () => {
  const { screen, router } = await openAsAdmin(api, <AdminPanel />);
  await expectText('message transfers: none found');
  await screen.getByTestId('admin-tab-operations').click();
  await expect.element(screen.getByText('Nada necesita a una persona ahora')).toBeVisible();
  expect(router.state.location.search).toBe('?tab=operations');
  await page.viewport(390, 844);
  await expect
    .poll(() => screen.getByTestId('admin-tab-operations').element().getBoundingClientRect().right)
    .toBeLessThanOrEqual(390);
  await screen.getByTestId('admin-tab-transfers').click();
  expect(router.state.location.search).toBe('');
  await expectAccessible();
});

test('what narrows a list is there again after a look at another one', async () => {
  const { screen, router } = await openAsAdmin(api, <AdminPanel />, { address: '/?status=pending' });
  await screen.getByTestId('admin-search').fill('rosa');
  await screen.getByTestId('admin-tab-users').click();
  await screen.getByTestId('admin-user-search').fill('carmen');
  await screen.getByTestId('admin-tab-transfers').click();
  await expect.element(screen.getByTestId('admin-search')).toHaveValue('rosa');
  expect(router.state.location.search).toBe('?status=pending');
  await screen.getByTestId('admin-tab-users').click();
  await expect.element(screen.getByTestId('admin-user-search')).toHaveValue('carmen');
});

for (const [width, height] of [
  [1280, 800],
  [390, 844],
] as const) {
  test(`what waits for a decision is in sight without scrolling, and reached by a key, ${width} x ${height}`, async () => {
    await page.viewport(width, height);
    const items = ['Ana Quispe', 'Pedro Choque'].map((user) => {
      const id = crypto.randomUUID();
      return { transaction: sampleTransfer({ id, user }), review: sampleReview({ id }) };
    });
    const { screen } = await openAsAdmin(api, <AdminPanel />, {
      reviews: () => ({ items, nextCursor: null }),
      adminTransfers: () => ({ items: items.map(({ transaction }) => transaction), nextCursor: null }),
    });
    await expect.element(screen.getByTestId('review-line').first()).toBeVisible();
    // The bar, the notice of the test mode and the title stand above the panel.
    const above = width === 390 ? 250 : 220;
    const line = screen.getByTestId('review-line').nth(1).element().getBoundingClientRect();
    const panel = screen.getByTestId('admin-panel').element().getBoundingClientRect();
    expect(line.bottom - panel.top + above).toBeLessThan(height);
    await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    await expectAccessible();
  });
}

test('a rate that pays more than the market says so in words beside the others, and leads to where it is changed', async () => {
  const rates = sampleRates();
  const { USD } = rates.currencies;
  const reference = USD.reference && { ...USD.reference, rate: '11.43' };
  const { screen, router } = await openAsAdmin(api, <AdminPanel />, {
    rateManagement: () => ({ ...rates, currencies: { ...rates.currencies, USD: { ...USD, reference } } }),
  });
  await expect
    .element(screen.getByTestId('admin-rate-line-USD'))
    .toMatchTextContent(/1 USD = 11,55 Bs.*El cambio pierde 1,04 ?%/);
  await expect.element(screen.getByTestId('admin-rate-line-EUR')).not.toMatchTextContent(/pierde/);
  await screen.getByRole('link', { name: 'Cambiar la tasa de USD' }).click();
  expect(router.state.location.search).toBe('?tab=rates');
  await expect
    .element(screen.getByTestId('admin-rate-USD'))
    .toMatchTextContent(/El cambio pierde 1,04 ?%.*1,04 ?%, pérdida/);
});

test('the address of an alert e-mail opens its case, and the tab counts the open ones', async () => {
  const [one, other] = [sampleCase({ reason: 'fraud_warning', operation: null }), sampleCase()];
  const { screen } = await openAsAdmin(api, <AdminPanel />, {
    address: caseAddress(one.id).replace('/admin', '/'),
    deskCases: () => ({ items: [one, other], nextCursor: null }),
    deskCase: () => ({ case: one }),
  });
  await expect.element(screen.getByTestId('desk-details')).toHaveAttribute('data-case-id', one.id);
  await expect.element(screen.getByTestId('desk-count')).toMatchTextContent('2 casos abiertos');
});

test('on a phone the tab that an address names is drawn into view', async () => {
  await page.viewport(390, 844);
  const { screen } = await openAsAdmin(api, <AdminPanel />, { address: '/?tab=audit' });
  await expect.element(screen.getByRole('tab', { selected: true })).toBeInViewport({ ratio: 1 });
});

test('the tab of the books counts open differences live, and shows nothing while there is none', async () => {
  // What a page of 1280 px leaves.
  const panel = (
    <div style={{ width: 1132 }}>
      <AdminPanel />
    </div>
  );
  const { screen } = await openAsAdmin(api, panel, {
    openExceptions: () => ({ open: 1 }),
    deskCases: () => ({ items: [sampleCase()], nextCursor: 'older' }),
  });
  await expect.element(screen.getByTestId('books-count')).toMatchTextContent('1 diferencia abierta');
  api.answer({ openExceptions: () => ({ open: 1200 }) });
  live.push('admin:books-changed', { at: '2026-11-21T15:00:00.000Z' });
  await expect.element(screen.getByTestId('books-count')).toMatchTextContent('1.200 diferencias abiertas');
  await expect.element(screen.getByTestId('desk-count')).toMatchTextContent(/^1\+/);
  const tops = screen
    .getByRole('tab')
    .elements()
    .map((tab) => tab.getBoundingClientRect().top);
  expect([tops.length, new Set(tops).size]).toEqual([9, 1]);
  await expectAccessible();
  api.answer({ openExceptions: () => ({ open: 0 }) });
  live.push('admin:books-changed', { at: '2026-11-21T15:01:00.000Z' });
  await expect.element(screen.getByTestId('books-count')).not.toBeInTheDocument();
});

test('refreshing the admin panel shows the server’s answer and asks for everything again, or shows its refusal', async () => {
  const both = (
    <>
      <RefreshButton />
      <StatCards />
    </>
  );
  const { screen } = await openAsAdmin(api, both, {
    refresh: () => ({ success: true, count: 0, sourcesAsked: true, message: 'No hay transferencias abiertas.' }),
  });
  await expect.element(screen.getByTestId('admin-stats-users')).toMatchTextContent(/Usuarios2/);
  api.answer({ adminStats: () => ({ ...emptyStats, totalUsers: 7 }) });
  await screen.getByTestId('admin-refresh').click();
  await expect
    .element(screen.getByText('No hay transferencias abiertas. Se consultan las fuentes de tasas.'))
    .toBeVisible();
  await expect.element(screen.getByTestId('admin-stats-users')).toMatchTextContent(/Usuarios7/);
  covers('rule admin refresh');
  api.answer({ refresh: () => ({ failure: 'unavailable' }) });
  await screen.getByTestId('admin-refresh').click();
  await expectText('message admin: refresh failed');
  await expect.element(screen.getByText('Mensaje de unavailable.')).toBeVisible();
});

test('a currency whose rate is stale is named on top, with when it was last updated', async () => {
  const stale = { currency: 'USD', rate: '11.55', source: 'admin', paused: true } as const;
  const USD = { ...stale, lastUpdated: '2026-11-20T14:00:00.000Z', marketSeenAt: '2026-11-21T14:00:00.000Z' };
  const EUR = { ...USD, currency: 'EUR', paused: false } as const;
  const { screen } = await openAsAdmin(api, <AdminPanel />, { getRates: () => ({ ...USD, rates: { USD, EUR } }) });
  await expect.element(screen.getByTestId('admin-paused-USD')).toMatchTextContent(/21\/11\/2026, 10:00/);
  await expect.element(screen.getByTestId('admin-paused-EUR')).not.toBeInTheDocument();
});
