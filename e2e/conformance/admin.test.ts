/** What the specification says of the admin panel and of signing out, in a app where nothing was sent yet. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { useBrowser, viewports } from '../../infra/testing/browser.ts';
import { openPayment, payWithCard, signUp } from '../api-client.ts';
import { decideInBrowser, enterAsAdmin, signInAsAdmin, signUpInBrowser } from '../pages.ts';
import { adminAccount, useApp } from '../test-app.ts';
import { covers, expectText } from './coverage.ts';

const browser = useBrowser();
// Steps of a fifth pass, so that the market's figures of the day decide nothing here.
const app = useApp({ env: { RATE_MAX_STEP_BASIS_POINTS: '2000' } });

/** A figure card's text with plain spaces, once it shows this. */
async function figureShows(page: Page, name: string, expected: RegExp): Promise<void> {
  const card = page.getByTestId(`admin-stats-${name}`);
  await expect.poll(async () => (await card.textContent())?.replace(/\s/g, ' '), { timeout: 20_000 }).toMatch(expected);
}

/** Presses a control while its call is held back; what is returned lets the call go on. */
async function holdBack(page: Page, path: string): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(`**${path}`, async (route) => {
    await held.promise;
    await route.continue();
  });
  return held.resolve;
}

test('where nothing was sent everything is empty and computed, nothing is a placeholder', async () => {
  const page = await browser.newPage();
  await enterAsAdmin(page, app.url());
  await page.getByRole('heading', { name: 'Panel de Administración' }).waitFor();
  await figureShows(page, 'daily', /\$ 0,00$/);
  await figureShows(page, 'monthly', /\$ 0,00$/);
  await figureShows(page, 'pending', /0 ?0 completadas, 0 rechazadas$/);
  await figureShows(page, 'users', /2 ?0 activos: con envíos en los últimos 30 días$/);
  await expectText(page, 'message transfers: none found');
  // A product without any rate in its history could not be opened to anybody.
  await page.route(`**${endpoints.rateHistory.path}?*`, (route) => route.fulfill({ json: { items: [] } }));
  await page.getByTestId('admin-tab-rates').click();
  await expectText(page, 'message rate history: empty');
  await page.getByTestId('admin-tab-users').click();
  await page.getByTestId('admin-user-row').filter({ hasText: adminAccount.email }).waitFor();
  covers('route /admin', 'constant admin placeholders');
});

test('a new rate: only a rate can be saved, the badge says what goes on, and the history says who set it', async () => {
  const page = await browser.newPage();
  await enterAsAdmin(page, app.url());
  const field = page.getByTestId('admin-rate-input-EUR');
  const save = page.getByTestId('admin-rate-save-EUR');
  expect(await save.isDisabled()).toBe(true);
  for (const [typed, kept] of [
    ['abc', ''],
    ['-13', '13'],
    ['13,387', '13,38'],
  ] as const) {
    await field.fill('');
    await field.pressSequentially(typed);
    expect([typed, await field.inputValue(), await save.isDisabled()]).toEqual([typed, kept, kept === '']);
  }
  await field.press('ArrowUp');
  expect(await field.inputValue()).toBe('13,39');
  covers('rule admin rate entry');

  // The market's own proposal: no guard-rail asks for a second person.
  await page.getByTestId('admin-rate-proposal-EUR').click({ timeout: 60_000 });
  const rate = await field.inputValue();
  const letGo = await holdBack(page, endpoints.setRate.path);
  await save.click();
  await expectText(page, 'message admin: rate busy');
  letGo();
  await page.locator(`[data-testid=admin-rate-current-EUR][data-rate="${rate.replace(',', '.')}"]`).waitFor();
  await page.getByTestId('admin-rate-EUR').getByText('Actualizado', { exact: true }).waitFor();
  covers('message admin: rate updated', 'call POST /api/admin/exchange-rate');
  await page.getByTestId('admin-tab-rates').click();
  await page
    .getByTestId('admin-rate-history-row')
    .filter({ hasText: `1 EUR = ${rate} Bs` })
    .getByText(adminAccount.name)
    .waitFor();
  covers('call GET /api/admin/exchange-rate/history');
});

test('pending transactions are approved or rejected, and every row has its details', async () => {
  const page = await browser.newPage();
  await enterAsAdmin(page, app.url());
  const sender = await signUp(app.url);
  const { email } = await sender.call(endpoints.me).then(({ user }) => user);
  const rows = (status: string) => page.locator(`[data-testid=admin-row][data-status=${status}]`);
  for (const decision of ['approve', 'reject'] as const) {
    const { recipientId = undefined } = (await sender.call(endpoints.listTransfers)).items[0] ?? {};
    const payment = await openPayment(sender, { currency: 'usd', ...(recipientId && { recipientId }) });
    await payWithCard(app.stack.sandboxUrl, payment);
    await rows('pending').getByText('Pendiente', { exact: true }).waitFor();
    await figureShows(page, 'pending', /^Transacciones pendientes1/);
    await decideInBrowser(page, email, decision);
    await rows(decision === 'approve' ? 'completed' : 'rejected').waitFor();
  }
  covers(
    'message transfer: pending',
    'rule admin approves',
    'rule admin rejects',
    'call POST /api/admin/transactions/{id}/approve',
    'call POST /api/admin/transactions/{id}/reject',
    'call GET /api/admin/transactions',
  );
  await expectText(page, 'message admin: details');
  await rows('completed').getByTestId('admin-detail').click();
  await page.getByTestId('admin-drawer').getByText('Rosa Mamani').first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByTestId('admin-drawer').waitFor({ state: 'hidden' });

  // Somebody who signed up and never sent anything is not active.
  await signUp(app.url);
  await page.reload();
  await figureShows(page, 'pending', /0 ?1 completadas, 1 rechazadas$/);
  await figureShows(page, 'users', /4 ?1 activo: con envíos en los últimos 30 días$/);
  covers('constant active 30 days', 'call GET /api/admin/stats');
  await page.getByTestId('admin-tab-users').click();
  const person = page.getByTestId('admin-user-row').filter({ hasText: email });
  await expect.poll(async () => (await person.textContent())?.replace(/\s/g, ' ')).toContain('$ 100,00');
  covers('call GET /api/admin/users');
});

test('refreshing says what the server says, also when it refuses', async () => {
  const page = await browser.newPage({ expectedErrors: [/status of 503/] });
  await enterAsAdmin(page, app.url());
  await page.getByTestId('admin-refresh').click();
  await page.getByText('No hay transferencias abiertas.').waitFor();
  covers('rule admin refresh', 'call POST /api/admin/refresh');
  await page.route(`**${endpoints.refresh.path}`, (route) =>
    route.fulfill({ status: 503, json: { code: 'unavailable', message: 'Vuelve a intentarlo en un minuto.' } }),
  );
  await page.getByTestId('admin-refresh').click();
  await expectText(page, 'message admin: refresh failed');
  await page.getByText('Vuelve a intentarlo en un minuto.').waitFor();
});

test('only an admin is led to the panel; who signs out is forgotten and stands at the front page', async () => {
  const [admin, sender] = await Promise.all([browser.newPage(), browser.newPage({ viewport: viewports.phone })]);
  await Promise.all([signInAsAdmin(admin, app.url()), signUpInBrowser(sender, app.url())]);
  await admin.getByTestId('nav-admin').waitFor();
  covers('route /dashboard');

  await sender.getByTestId('nav-menu').click();
  await sender.getByTestId('nav-dashboard-small').getByText('Mi Panel').waitFor();
  expect(await sender.getByTestId('nav-admin-small').count()).toBe(0);
  covers('rule admin link');
  await sender.keyboard.press('Escape');
  await sender.getByTestId('nav-dashboard-small').waitFor({ state: 'hidden' });
  covers('rule small menu');

  await admin.getByTestId('nav-avatar').click();
  await admin.getByText(adminAccount.email, { exact: true }).waitFor();
  await admin.getByTestId('nav-logout').getByText('Salir').click();
  await admin.waitForURL(`${app.url()}/`);
  await admin.getByTestId('nav-login').waitFor();
  const kept = () => admin.evaluate(() => ['auth_token', 'user_data'].map((name) => localStorage.getItem(name)));
  await expect.poll(kept).toEqual([null, null]);
  await admin.goto(`${app.url()}/admin`);
  await admin.waitForURL((url) => url.pathname === '/login');
  covers('rule logout');
});
