import { expect, onTestFinished, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { useBrowser } from '../infra/testing/browser.ts';
import { signUp } from './api-client.ts';
import { recordCalls } from './conformance/calls.ts';
import { covers, expectText } from './conformance/coverage.ts';
import { enterAsAdmin, enterAsSender } from './pages.ts';
import { useApp } from './test-app.ts';
import { until } from './until.ts';

const browser = useBrowser();
const app = useApp({ alone: true });

/** How long the sources may take on a busy machine; they are asked in turn, with a pause between two calls to the same host. */
const collectedMsMax = 60_000;

test('an admin updates the rates, and a visitor and a sender see live prices without a reload', async () => {
  const [admin, sender, visitor] = await Promise.all([browser.newPage(), browser.newPage(), browser.newPage()]);
  recordCalls(visitor);
  await Promise.all([
    enterAsAdmin(admin, app.url()),
    enterAsSender(sender, app),
    visitor.goto(`${app.url()}/rate-tester`),
  ]);
  const rows = [visitor, sender].map((page) => page.getByTestId('comparison-row'));
  for (const row of rows) await row.first().waitFor();
  await visitor.evaluate(() => Object.assign(window, { unloaded: false }));
  expect(await visitor.getByTestId('rate-update').count()).toBe(0);

  await admin.goto(`${app.url()}/rate-tester`);
  await admin.getByTestId('rate-update').click();
  await admin
    .getByTestId('rate-update-result')
    .getByText(/Se actualiz|Sin dato de/)
    .waitFor({ timeout: collectedMsMax });
  for (const page of [visitor, sender]) {
    await page
      .locator('[data-testid=comparison-row][data-competitor=remitly][data-freshness=live]')
      .waitFor({ timeout: collectedMsMax });
  }
  expect(await visitor.getByTestId('comparison-row').count()).toBe(6);
  covers('route /rate-tester', 'call GET /api/exchange-rates');
  await visitor.getByText('Ver precios de otros servicios').click();
  await visitor.getByTestId('scraper-row').filter({ hasText: '1 USD = ' }).first().waitFor();
  covers('route /scraper', 'call GET /api/scraper');
  expect(await visitor.evaluate(() => 'unloaded' in window)).toBe(true);

  // In test mode a sender may update the rates too.
  await sender.goto(`${app.url()}/rate-tester`);
  await expectText(sender, 'message comparison: update control');
  await sender.getByTestId('rate-update').click();
  const updated = sender.getByTestId('rate-update-result').getByText(/Se actualiz/);
  await updated.waitFor({ timeout: collectedMsMax });
  covers('call POST /api/update-rates');
}, 120_000);

test('prices are collected from every site when the worker starts and when an admin asks, and failures are named', async () => {
  const sender = await signUp(app);
  const compared = () => sender.call(endpoints.exchangeRates, { query: { amount: '100', currency: 'EUR' } });
  await until('every competitor is live', async () => {
    const { competitors } = await compared();
    return competitors.length === 5 && competitors.every(({ freshness }) => freshness === 'live');
  });
  const before = await compared();
  const methods = Object.fromEntries(before.competitors.map(({ id, method }) => [id, method]));
  expect(methods).toMatchObject({ ria: 'direct', moneyGram: 'direct', wise: 'wise_comparison' });
  const quote = await sender.call(endpoints.quote, { body: { amount: '100', currency: 'EUR' } });
  expect(quote.markupPercent).not.toBeNull();

  await app.sandbox.priceMode('ria', 'changed_shape');
  onTestFinished(() => app.sandbox.priceMode('ria', 'normal'));
  await app.sandbox.fault({ kind: 'error', path: '/prices/moneyGram', status: 403, times: 1 });
  const { updated, failed } = await app.secondAdmin.call(endpoints.updateRates, { body: { amount: '100' } });
  expect(failed).toMatchObject([
    { source: 'moneyGram', reason: 'forbidden', sentence: 'Rechaza la consulta' },
    { source: 'ria', reason: 'changed_shape' },
  ]);
  expect(updated).toBe(9);
  const again = app.secondAdmin.call(endpoints.updateRates, { body: { amount: '100' } });
  await expect(again).rejects.toMatchObject({ status: 429, code: 'too_many_requests' });
  const times = async () => {
    const { competitors } = await compared();
    return Object.fromEntries(competitors.map(({ id, collectedAt }) => [id, collectedAt]));
  };
  const was = Object.fromEntries(before.competitors.map(({ id, collectedAt }) => [id, collectedAt]));
  const is = await times();
  expect(is.ria).toBe(was.ria);
  expect(is.moneyGram).toBe(was.moneyGram);
  expect(is.westernUnion).not.toBe(was.westernUnion);
});
