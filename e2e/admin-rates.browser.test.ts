import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import type { SendCurrency } from '#core/money/money';
import { type PageOptions, useBrowser, viewports } from '../infra/testing/browser.ts';
import { expectAccessible } from './accessibility.ts';
import { hold } from './account-fixture.ts';
import { covers, expectText } from './conformance/coverage.ts';
import { enterAsAdmin } from './pages.ts';
import { adminAccount, secondAdminAccount, useApp } from './test-app.ts';

/** Long enough for all sources to be asked on a busy machine. */
const collectedMsMax = 60_000;
const hourMs = 3_600_000;

const browser = useBrowser();
// Steps of a fifth pass, so that the market's figures of the day decide nothing here. No sweep activates what is scheduled.
const app = useApp({ env: { RATE_MAX_STEP_BASIS_POINTS: '2000', SWEEP_SECONDS: '3600' } });

/** The admin panel, with its live connection and the market's figures. */
async function openPanel(account: typeof adminAccount, options: PageOptions = {}): Promise<Page> {
  // A browser logs the 422 that asks for a reason as an error of its own.
  const page = await browser.newPage({ expectedErrors: [/status of 422/], ...options });
  await enterAsAdmin(page, app.url(), account);
  await page.locator('[data-testid=live-status][data-state=connected]').waitFor({ state: 'attached' });
  for (const currency of ['USD', 'EUR']) {
    await page.getByTestId(`admin-rate-sources-${currency}`).waitFor({ timeout: collectedMsMax });
  }
  await page.evaluate(() => Object.assign(window, { unloaded: false }));
  return page;
}

const bothPanels = () => Promise.all([openPanel(adminAccount), openPanel(secondAdminAccount)]);
const neverReloaded = (page: Page) => page.evaluate(() => 'unloaded' in window);
const inForce = (page: Page, currency: SendCurrency, rate: string) =>
  page.locator(`[data-testid=admin-rate-current-${currency}][data-rate="${rate}"]`).waitFor();
const newest = (page: Page) => page.getByTestId('admin-rate-history-row').first();

test('a rate beyond the step waits for a second admin, who discards or confirms it, and every open page shows it', async () => {
  const [ana, luis] = await bothPanels();
  const visitor = await browser.newPage();
  await visitor.goto(`${app.url()}/rate-tester`);
  const ours = visitor.locator('[data-testid=comparison-row][data-competitor=chasqui]').first();
  await ours.getByText('11,55').first().waitFor();
  await visitor.evaluate(() => Object.assign(window, { unloaded: false }));

  const requestChange = async () => {
    await ana.getByTestId('admin-rate-input-USD').fill('25');
    await ana.getByTestId('admin-rate-save-USD').click();
    await ana.getByTestId('admin-rate-reason-USD').fill('Prueba');
    await ana.getByTestId('admin-rate-save-USD').click();
    await luis.getByTestId('admin-rate-open-USD').waitFor();
  };
  await requestChange();
  await ana.getByTestId('admin-rate-decline-USD').getByText('Retirar').click();
  await luis.getByTestId('admin-rate-input-USD').waitFor();
  await requestChange();
  await luis.getByTestId('admin-rate-decline-USD').getByText('Descartar').click();
  await ana.getByTestId('admin-rate-input-USD').waitFor();

  await ana.getByTestId('admin-rate-input-USD').fill('14,5');
  await ana.getByTestId('admin-rate-input-USD').press('Enter');
  await ana.getByTestId('admin-rate-needed').getByText('20,00 %').waitFor();
  const reason = ana.getByTestId('admin-rate-reason-USD');
  expect(await reason.evaluate((field) => field === document.activeElement)).toBe(true);
  await ana.getByTestId('admin-rate-save-USD').click();
  await ana.getByText('Escribe el motivo').first().waitFor();
  await expectAccessible(ana);
  await reason.fill('El mercado saltó\nesta mañana');
  await ana.getByTestId('admin-rate-save-USD').click();

  const asked = ana.getByTestId('admin-rate-open-USD');
  await asked.getByText('Lo tiene que confirmar otra persona').waitFor();
  expect(await ana.getByTestId('admin-rate-confirm-USD').count()).toBe(0);
  expect(await ana.getByTestId('admin-rate-input-USD').count()).toBe(0);
  const seen = luis.getByTestId('admin-rate-open-USD');
  await seen.waitFor();
  const text = await seen.textContent();
  for (const part of [
    'Ana Quispe',
    '11,55 → 14,50 Bs',
    '+25,5 %',
    'El mercado saltó esta mañana',
    '20,00 %',
    'Vence',
  ]) {
    expect(text).toContain(part);
  }
  await expectAccessible(luis);
  await inForce(luis, 'USD', '11.55');

  const { items } = await app.admin.call(endpoints.rateHistory, { query: { limit: 1 } });
  const byHerself = app.admin.call(endpoints.confirmRateChange, { params: { id: items[0]?.id ?? '' } });
  await expect(byHerself).rejects.toMatchObject({ status: 403, code: 'second_person_needed' });

  await luis.getByTestId('admin-rate-confirm-USD').focus();
  await luis.keyboard.press('Enter');
  await Promise.all([ana, luis].map((page) => inForce(page, 'USD', '14.50')));
  await ours.getByText('14,50').first().waitFor();
  await Promise.all([asked, seen].map((card) => card.waitFor({ state: 'detached' })));
  // Keyboard focus stays where the change was.
  expect(await luis.evaluate(() => document.activeElement?.getAttribute('data-testid'))).toBe('admin-rate-desk');

  await ana.getByTestId('admin-tab-rates').click();
  await newest(ana).and(ana.locator('[data-state=activated]')).waitFor();
  const row = await newest(ana).textContent();
  for (const part of ['1 USD = 14,50 Bs', 'Ana Quispe', 'Luis Rojas', 'El mercado saltó']) expect(row).toContain(part);
  await ana.getByTestId('admin-rate-history-row').nth(1).getByText('Descartado').waitFor();
  await ana.getByTestId('admin-rate-history-row').nth(2).getByText('Retirado').waitFor();
  expect(await Promise.all([ana, luis, visitor].map(neverReloaded))).toEqual([true, true, true]);
});

test('a scheduled rate is shown to both admins with its hour and can be cancelled', async () => {
  const [ana, luis] = await bothPanels();
  await ana.getByTestId('admin-rate-input-EUR').fill('11,50');
  await ana.getByTestId('admin-rate-more-EUR').click();
  await ana.getByTestId('admin-rate-when-EUR').getByText('A una hora').click();
  const inLaPaz = (ms: number) => new Date(ms - 4 * hourMs).toISOString().slice(0, 16);
  const hour = ana.getByTestId('admin-rate-hour-EUR');
  await hour.fill(inLaPaz(Date.now() - hourMs));
  await ana.getByTestId('admin-rate-reason-EUR').fill('Antes del feriado');
  await ana.getByTestId('admin-rate-save-EUR').click();
  await ana.getByText('Elige una hora que todavía no haya pasado').waitFor();
  const at = inLaPaz(Date.now() + 26 * hourMs);
  await hour.fill(at);
  await ana.getByTestId('admin-rate-save-EUR').getByText('Programar tasa').click();
  for (const page of [ana, luis]) {
    const card = page.locator('[data-testid=admin-rate-open-EUR][data-state=scheduled]');
    await card
      .getByText(`${at.slice(11)} (hora de La Paz)`)
      .first()
      .waitFor();
  }
  await expectAccessible(luis);
  await luis.getByTestId('admin-rate-decline-EUR').getByText('Cancelar el cambio').click();
  await ana.getByTestId('admin-rate-open-EUR').waitFor({ state: 'detached' });
  await inForce(ana, 'EUR', '13.38');
});

test('one admin saves a proposed rate within the guard-rails, and the history says who set it', async () => {
  const ana = await openPanel(adminAccount, { viewport: viewports.phone });
  const field = ana.getByTestId('admin-rate-input-EUR');
  const save = ana.getByTestId('admin-rate-save-EUR');
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
  await ana.getByTestId('admin-rate-proposal-EUR').click();
  const proposed = await field.inputValue();
  expect(proposed).toMatch(/^\d+,\d\d$/);
  const continueSaving = await hold(ana, endpoints.setRate.path);
  await save.click();
  await expectText(ana, 'message admin: rate busy');
  continueSaving();
  await inForce(ana, 'EUR', proposed.replace(',', '.'));
  await ana.getByTestId('admin-rate-EUR').getByText('Actualizado', { exact: true }).waitFor();
  covers('message admin: rate updated', 'call POST /api/admin/exchange-rate');
  await ana.getByTestId('admin-rate-sources-EUR').click();
  await ana.getByText('Mediana de estas fuentes').waitFor();
  await expectAccessible(ana);
  await ana.keyboard.press('Escape');
  await ana.getByTestId('admin-tab-rates').click();
  await newest(ana)
    .filter({ hasText: `1 EUR = ${proposed} Bs` })
    .getByText(adminAccount.name)
    .waitFor();
  covers('call GET /api/admin/exchange-rate/history');
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

test('the rates tab shows a year of rates and the state of each source, and why one fails that an admin asks now', async () => {
  const page = await openPanel(adminAccount);
  const charts = page.waitForRequest(/rate-chart-[^/]*\.js$/);
  await page.getByTestId('admin-tab-rates').click();
  await charts;
  const chart = page.getByTestId('admin-rate-chart');
  await chart.getByTestId('rate-chart').waitFor();
  await chart.getByTestId('admin-rate-chart-currency').getByText('EUR').click();
  await chart.getByTestId('admin-rate-chart-days').getByText('1 año').click();
  await chart.locator('[data-testid=rate-chart][data-currency=EUR][data-days="365"]').waitFor();
  const source = page.locator('[data-testid=admin-rate-source][data-source=dolarApi]');
  await source.getByText('Funciona').waitFor();
  await expectAccessible(page);

  await app.sandbox.priceMode('ria', 'changed_shape');
  onTestFinished(() => app.sandbox.priceMode('ria', 'normal'));
  await page.getByTestId('admin-rate-ask').click();
  const ria = page.locator('[data-testid=admin-rate-source][data-source=ria][data-status=failing]');
  await ria.getByText('Cambió su formato').waitFor({ timeout: collectedMsMax });
  await ria.getByText(/^1 de \d+$/).waitFor();
});
