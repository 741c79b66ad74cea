import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
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
const minuteMs = 60_000;

async function open(path: string, options: Parameters<typeof browser.newPage>[0] = {}): Promise<Page> {
  const page = await browser.newPage(options);
  recordCalls(page);
  await page.goto(`${app.url()}${path}`);
  return page;
}

const refuse = (page: Page, path: string, code = 'internal') =>
  page.route(
    (url) => url.pathname === path,
    (route) => route.fulfill({ status: 500, json: { code, message: 'No se pudo.' } }),
  );

/** The numbers of a text formatted for Bolivia: "1 USD = 11,55 Bs" is [1, 11.55]. */
const figuresOf = (text: string | null) =>
  [...(text ?? '').matchAll(/[−-]?[\d.]+(?:,\d+)?/g)].map(([figure]) =>
    Number(figure.replaceAll('.', '').replace(',', '.').replace('−', '-')),
  );

describe('/rate-tester', () => {
  test('/rate-tester compares what 100 dollars arrive as and claims only what live prices prove', async () => {
    const page = await open('/rate-tester');
    expect(await page.getByTestId('comparison-amount').inputValue()).toBe('100');
    await page.getByText('Las tasas se actualizan automáticamente cada 2 horas.').waitFor();
    covers('constant comparison amount 100', 'constant rates every 2 hours');
    const row = (id: string) => page.locator(`[data-testid=comparison-row][data-competitor=${id}]`);
    await row('remitly').and(page.locator('[data-freshness=live]')).waitFor({ timeout: collectedMsMax });
    covers('route /rate-tester', 'call GET /api/exchange-rates');

    const rows = await page.getByTestId('comparison-row').evaluateAll((all) =>
      all.map((one) => ({
        id: one.getAttribute('data-competitor'),
        freshness: one.getAttribute('data-freshness'),
        cells: [...one.querySelectorAll('td')].map((cell) => cell.textContent),
      })),
    );
    const compared = rows.map(({ id, freshness, cells: [rate = '', fee = '', received = '', difference = ''] }) => ({
      id,
      live: freshness === 'live',
      rate: figuresOf(rate)[1] ?? 0,
      fee: figuresOf(fee)[0] ?? 0,
      received: figuresOf(received)[0] ?? 0,
      difference: figuresOf(difference)[0],
    }));
    const ours = compared.find(({ id }) => id === 'chasqui');
    const theirs = compared.filter(({ id, live }) => live && id !== 'chasqui');
    expect(theirs.length).toBeGreaterThan(0);
    for (const one of theirs) {
      // Rounded down to the centavo, plus the error of doubles.
      expect(Math.abs(one.received - (100 - one.fee) * one.rate)).toBeLessThan(0.0101);
      const exact = (((ours?.rate ?? 0) - one.rate) / one.rate) * 100;
      expect(Math.abs((one.difference ?? Number.NaN) - exact)).toBeLessThan(0.0501);
    }
    covers('constant received = (amount - fee) x rate', 'constant difference percent');
    const least = Math.min(...theirs.map(({ received }) => received));
    const provable = ((ours?.received ?? 0) / least - 1) * 100;
    const claim = page.getByTestId('comparison-claim');
    const claimed = (await claim.count()) > 0 ? figuresOf(await claim.textContent())[0] : 0;
    expect(claimed).toBeLessThanOrEqual(Math.max(provable, 0) + 0.05);
    covers('rule better than competitors');
  });

  test('/rate-tester says that the comparison could not be loaded and does not ask again by itself', async () => {
    const page = await browser.newPage({ expectedErrors: [/status of 500/] });
    const path = endpoints.exchangeRates.path;
    let asked = 0;
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === path) asked += 1;
    });
    await page.routeWebSocket(/socket\.io/, () => undefined);
    await refuse(page, path);
    await page.goto(`${app.url()}/rate-tester`);
    await expectText(page, 'message comparison: failed');
    expect(asked).toBe(1);
    await page.unrouteAll();
    await page.getByText('Reintentar').click();
    await page.getByTestId('comparison-row').first().waitFor();
    expect(asked).toBe(2);
  });

  test('/rate-tester says that an update of the rates failed', async () => {
    const page = await browser.newPage({ expectedErrors: [/status of 500/] });
    await enterAsSender(page, app.url());
    await page.goto(`${app.url()}/rate-tester`);
    await refuse(page, endpoints.updateRates.path);
    await page.getByTestId('rate-update').click();
    await expectText(page, 'message comparison: update failed');
  });
});

describe('/scraper', () => {
  test('/scraper has a message for an unknown error and for no data, and shows the prices for at least 1 dollar or euro', async () => {
    const page = await browser.newPage({ expectedErrors: [/status of 500/] });
    recordCalls(page);
    await refuse(page, endpoints.scraper.path);
    await page.goto(`${app.url()}/scraper`);
    await expectText(page, 'message scraper: failed');
    await page.unrouteAll();
    await page.route(
      (url) => url.pathname === endpoints.scraper.path,
      (route) =>
        route.fulfill({
          json: { timestamp: new Date().toISOString(), amount: '100.00', currency: 'USD', results: {} },
        }),
    );
    await page.getByTestId('scraper-refresh').click();
    await expectText(page, 'message scraper: no data');
    await page.unrouteAll();
    await page.getByTestId('scraper-refresh').click();
    const prices = page.getByTestId('scraper-row');
    await prices.filter({ hasText: '1 USD = ' }).first().waitFor();
    await page.getByTestId('scraper-currency').getByText('EUR').click();
    await prices.filter({ hasText: '1 EUR = ' }).first().waitFor();
    covers('route /scraper', 'call GET /api/scraper');
    await page.getByTestId('scraper-amount').fill('0,99');
    await page.getByText('Escribe un monto de 1 o más').waitFor();
    await expect.poll(() => page.getByTestId('scraper-refresh').isDisabled()).toBe(true);
    await page.getByTestId('scraper-amount').fill('1');
    await page.getByText('Para enviar 1,00 EUR').waitFor();
    covers('rule scraper amount');
  });
});

test('a comparison is asked for again after five minutes, other answers only after a push', async () => {
  const page = await browser.newPage({ ownContext: true });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const times = (endpoint: { path: string }) => asked.filter((one) => one === endpoint.path).length;
  const start = Date.now();
  // Without pushes only its own queries ask.
  await page.routeWebSocket(/socket\.io/, () => undefined);
  await page.clock.setFixedTime(start);
  const compare = async () => {
    await page.getByText('Comparar con Chasqui').click();
    await page.getByTestId('comparison-row').first().waitFor();
  };
  const scrape = async () => {
    await page.getByText('Ver precios de otros servicios').click();
    await page.getByTestId('scraper-row').first().waitFor();
  };
  /** Asks for something new; once it is shown, every earlier request has been counted. */
  const settle = async (currency: string) => {
    await page.getByTestId('scraper-currency').getByText(currency).click();
    await page
      .getByTestId('scraper-row')
      .filter({ hasText: `1 ${currency} = ` })
      .first()
      .waitFor();
  };
  await page.goto(`${app.url()}/scraper`);
  await compare();
  await page.getByTestId('bank-board').waitFor();
  await scrape();
  await page.clock.setFixedTime(start + 5 * minuteMs - 1000);
  await compare();
  await page.evaluate(() => {
    document.dispatchEvent(new Event('visibilitychange'));
    window.dispatchEvent(new Event('focus'));
  });
  await scrape();
  await settle('EUR');
  expect([times(endpoints.exchangeRates), times(endpoints.bankBoard)]).toEqual([1, 1]);

  await page.clock.setFixedTime(start + 5 * minuteMs + 1000);
  const again = page.waitForResponse((response) => new URL(response.url()).pathname === endpoints.exchangeRates.path);
  await compare();
  await again;
  covers('constant comparison stale 5 min');
  await page.clock.setFixedTime(start + 24 * 60 * minuteMs);
  await scrape();
  await compare();
  expect(times(endpoints.bankBoard)).toBe(1);
  covers('constant query defaults');
});

test('an admin updates the rates, and a visitor and a sender see live prices without a reload', async () => {
  const [admin, sender, visitor] = await Promise.all([browser.newPage(), browser.newPage(), browser.newPage()]);
  await Promise.all([
    enterAsAdmin(admin, app.url()),
    enterAsSender(sender, app.url()),
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
  const sender = await signUp(app.url);
  const compared = () => sender.call(endpoints.exchangeRates, { query: { amount: '100', currency: 'EUR' } });
  await until('every competitor is live', async () => {
    const { competitors } = await compared();
    return competitors.length === 5 && competitors.every(({ freshness }) => freshness === 'live');
  });
  const before = await compared();
  const methods = Object.fromEntries(before.competitors.map(({ id, method }) => [id, method]));
  expect(methods).toMatchObject({ ria: 'precio directo', moneyGram: 'precio directo', wise: 'comparador de Wise' });
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
