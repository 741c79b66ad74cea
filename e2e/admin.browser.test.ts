import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { useBrowser, viewports } from '../infra/testing/browser.ts';
import { openPayment, payWithCard, signUp } from './api-client.ts';
import { covers, expectText } from './conformance/coverage.ts';
import { adminRow, beginAsSender, decideInBrowser, enterAsAdmin } from './pages.ts';
import { adminAccount, secondAdminAccount, useApp } from './test-app.ts';

const browser = useBrowser();
const app = useApp({ alone: true });

/** Waits until a figure card shows this, with plain spaces. */
async function figureShows(page: Page, name: string, expected: RegExp): Promise<void> {
  const card = page.getByTestId(`admin-stats-${name}`);
  await expect.poll(async () => (await card.textContent())?.replace(/\s/g, ' '), { timeout: 20_000 }).toMatch(expected);
}

test('the admin panel of a new product shows computed figures and no placeholders', async () => {
  const page = await browser.newPage();
  await enterAsAdmin(page, app.url());
  await page.getByRole('heading', { name: 'Panel de Administración' }).waitFor();
  await figureShows(page, 'daily', /\$ 0,00$/);
  await figureShows(page, 'monthly', /\$ 0,00$/);
  await figureShows(page, 'pending', /0 ?0 completadas, 0 rechazadas$/);
  await figureShows(page, 'users', /2 ?0 activos: con envíos en los últimos 30 días$/);
  await expectText(page, 'message transfers: none found');
  // A product always has rates, so an empty history has to be mocked.
  await page.route(`**${endpoints.rateHistory.path}?*`, (route) => route.fulfill({ json: { items: [] } }));
  await page.getByTestId('admin-tab-rates').click();
  await expectText(page, 'message rate history: empty');
  await page.getByTestId('admin-tab-users').click();
  await page.getByTestId('admin-user-row').filter({ hasText: adminAccount.email }).waitFor();
  covers('route /admin', 'constant admin placeholders');
});

test('an admin approves and rejects pending transactions and sees the details of each', async () => {
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

  // A sender who never sent anything is not active.
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

test('an open decision dialog shows that another admin has decided', async () => {
  const page = await browser.newPage();
  await enterAsAdmin(page, app.url());
  const sender = await signUp(app.url);
  const { user } = await sender.call(endpoints.me);
  const payment = await openPayment(sender);
  await payWithCard(app.stack.sandboxUrl, payment);
  await adminRow(page, user.email, 'pending').getByTestId('admin-approve').click();
  await page.getByTestId('admin-confirm').waitFor();
  await app.secondAdmin.call(endpoints.reject, { params: { id: payment.transferId }, body: {} });
  const outcome = page.getByTestId('admin-decision-outcome');
  await outcome.getByText(`${secondAdminAccount.name} ya rechazó esta transferencia.`).waitFor();
  await adminRow(page, user.email, 'rejected').waitFor();
});

test('refreshing the admin panel shows the server’s answer or its refusal', async () => {
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

test('only an admin gets a link to the admin panel, and signing out ends the session on the front page', async () => {
  const [admin, sender] = await Promise.all([browser.newPage(), browser.newPage({ viewport: viewports.phone })]);
  await enterAsAdmin(admin, app.url());
  await admin.getByTestId('nav-admin').waitFor();
  covers('route /dashboard');

  // A menu opened while the page still loads stays open when it has come.
  const answers = Promise.withResolvers<void>();
  await sender.route(`**${endpoints.me.path}`, async (route) => {
    await answers.promise;
    await route.continue();
  });
  await beginAsSender(sender, app.url());
  await sender.goto(`${app.url()}/dashboard`);
  await sender.getByTestId('nav-menu').click();
  await sender.getByRole('dialog').waitFor();
  answers.resolve();
  await sender.locator('#starting').waitFor({ state: 'detached' });
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
