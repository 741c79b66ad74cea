import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { useBrowser } from '../infra/testing/browser.ts';
import { covers } from './conformance/coverage.ts';
import { enterAsAdmin } from './pages.ts';
import { adminAccount, changeRate, secondAdminAccount, useApp } from './test-app.ts';

const browser = useBrowser();
const app = useApp();
afterEach(() => changeRate(app, 'USD', '11.55'));

/** The admin panel of an admin, connected live. */
async function openPanel(account: typeof adminAccount): Promise<Page> {
  // A browser logs the 422 that asks for a reason as an error of its own.
  const page = await browser.newPage({ expectedErrors: [/status of 422/] });
  await enterAsAdmin(page, app.url(), account);
  await page.locator('[data-testid=live-status][data-state=connected]').waitFor({ state: 'attached' });
  await page.getByTestId('admin-tab-rates').click();
  return page;
}

test('a rate beyond the step waits for a second admin, whose confirmation every open page shows without a reload', async () => {
  const [ana, luis] = await Promise.all([openPanel(adminAccount), openPanel(secondAdminAccount)]);
  const visitor = await browser.newPage();
  await visitor.goto(`${app.url()}/rate-tester`);
  const ours = visitor.locator('[data-testid=comparison-row][data-competitor=chasqui]').first();
  await ours.getByText('11,55').first().waitFor();
  for (const page of [ana, luis, visitor]) await page.evaluate(() => Object.assign(window, { unloaded: false }));

  await ana.getByTestId('admin-rate-input-USD').fill('14,5');
  await ana.getByTestId('admin-rate-save-USD').click();
  await ana.getByTestId('admin-rate-reason-USD').fill('El mercado saltó esta mañana');
  await ana.getByTestId('admin-rate-save-USD').click();
  await ana.getByTestId('admin-rate-open-USD').getByText('Lo tiene que confirmar otra persona').waitFor();
  covers('call POST /api/admin/exchange-rate');

  const { items } = await app.admin.call(endpoints.rateHistory, { query: { limit: 1 } });
  const byHerself = app.admin.call(endpoints.confirmRateChange, { params: { id: items[0]?.id ?? '' } });
  await expect(byHerself).rejects.toMatchObject({ status: 403, code: 'second_person_needed' });

  await luis.getByTestId('admin-rate-confirm-USD').click();
  for (const page of [ana, luis]) {
    await page.locator('[data-testid=admin-rate-current-USD][data-rate="14.50"]').waitFor();
    await page.getByTestId('admin-rate-open-USD').waitFor({ state: 'detached' });
  }
  await ours.getByText('14,50').first().waitFor();
  const newest = ana.locator('[data-testid=admin-rate-history-row][data-state=activated]').first();
  await newest.filter({ hasText: '1 USD = 14,50 Bs' }).filter({ hasText: secondAdminAccount.name }).waitFor();
  covers('call GET /api/admin/exchange-rate/history');
  for (const page of [ana, luis, visitor]) expect(await page.evaluate(() => 'unloaded' in window)).toBe(true);
});

test('a rate that two admins scheduled is in force from its hour', async () => {
  const { admin, secondAdmin } = app;
  const activateAt = new Date(Date.now() + 2_000).toISOString();
  const body = { currency: 'USD', rate: '12.40', reason: 'Promoción de fin de año', activateAt } as const;
  const { change } = await admin.call(endpoints.setRate, { body });
  const confirmed = await secondAdmin.call(endpoints.confirmRateChange, { params: { id: change.id } });
  expect(confirmed.change).toMatchObject({ state: 'scheduled', activateAt, decidedBy: secondAdminAccount.name });
  const inForce = () => admin.call(endpoints.getRate, { params: { currency: 'usd' } });
  await expect.poll(async () => (await inForce()).rate, { timeout: 20_000 }).toBe('12.40');
  const { items } = await admin.call(endpoints.rateHistory, { query: { currency: 'USD', limit: 1 } });
  expect(items[0]).toMatchObject({ rate: '12.40', state: 'activated', setBy: adminAccount.name });
  expect(Date.parse(items[0]?.activatedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(activateAt));
});
