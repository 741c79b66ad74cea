import type { RouteObject } from 'react-router';
import { describe, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { ScraperView } from '#core/contracts/http/comparison';
import type { SendCurrency } from '#core/money/money';
import { queryClient } from '../data/query-client.ts';
import { storeSession } from '../lib/storage.ts';
import { expectAccessibleAtAnyWidth, expectAccessibleInBothSchemes } from '../testing/accessibility.ts';
import { covers, expectText } from '../testing/conformance.ts';
import { type FakeApi, installFakeApi } from '../testing/fake-api.ts';
import { installFakeLive } from '../testing/fake-live.ts';
import { pressTwice } from '../testing/keyboard-dialog.ts';
import { renderApp, senderSession } from '../testing/render-app.tsx';
import { quoteFor, sampleBanks, sampleComparison } from '../testing/sample-rates.ts';
import RateTesterPage from './rate-tester.tsx';
import ScraperPage from './scraper.tsx';

const api = installFakeApi();
const live = installFakeLive();
const minuteMs = 60_000;

const routes: RouteObject[] = [
  { path: '/rate-tester', element: <RateTesterPage /> },
  { path: '/scraper', element: <ScraperPage /> },
];

const pricesIn = (currency: SendCurrency): ScraperView => ({
  timestamp: '2026-11-20T14:00:00.000Z',
  amount: '100.00',
  currency,
  results: {
    ria: { name: 'Ria', rate: '11.40', fee: '1.00', freshness: 'live', collectedAt: '2026-11-20T14:00:00.000Z' },
    moneyGram: { name: 'MoneyGram', rate: '7.70', fee: '3.99', freshness: 'reference', collectedAt: null },
  },
});

const usual: Parameters<FakeApi['answer']>[0] = {
  exchangeRates: () => sampleComparison,
  bankBoard: ({ query }) => sampleBanks({ BNB: '11.20', BISA: '11.10' }, query),
  quote: ({ body }) => quoteFor(body),
  scraper: ({ query }) => pricesIn(query.currency as SendCurrency),
  paymentConfig: () => ({ publishableKey: 'pk_test_1', scriptUrl: null, mode: 'sandbox' }),
};

const open = (address: string) => renderApp(routes, address);
const field = (testid: string) => page.getByTestId(testid);
const row = (competitor: string) => page.getByTestId('comparison-row').filter({ hasText: competitor });
const timesAsked = (name: string) => api.calls.filter((call) => call.name === name).length;

describe('/rate-tester', () => {
  test('/rate-tester compares what 100 dollars arrive as, marks reference values, and claims what the server proves', async () => {
    api.answer(usual);
    await page.viewport(1280, 900);
    await open('/rate-tester');
    await expect.element(field('comparison-amount')).toHaveValue('100');
    covers('constant comparison amount 100', 'route /rate-tester');
    await expect.element(page.getByText('Las tasas se actualizan automáticamente cada 2 horas.')).toBeVisible();
    covers('constant rates every 2 hours');
    await expect.element(row('Chasqui')).toMatchTextContent(/Bs 1.114,57/);
    await expect.element(row('Remitly')).toMatchTextContent(/\+3,6 %/);
    covers('constant difference percent');
    await expect.element(row('MoneyGram')).toMatchTextContent(/valor de referencia/i);
    await expect.element(row('MoneyGram')).not.toMatchTextContent(/50,0 %/);
    await expect.element(field('comparison-claim')).toMatchTextContent(/2,0 %/);
    covers('rule better than competitors');
    await expect
      .element(field('bank-row').first())
      .toMatchTextContent(/Paga más.*Bs 1.120,00.*1 USD = 11,20 Bs.*Bs 5,43 más que con Chasqui/);
    expect(field('rate-update').query()).toBeNull();
    await expectAccessibleAtAnyWidth();
  });

  test('/rate-tester keeps the figures of the amount before legible until those of the new amount arrive', async () => {
    const answer = Promise.withResolvers<typeof sampleComparison>();
    api.answer(usual);
    await open('/rate-tester');
    await expect.element(row('Chasqui')).toMatchTextContent(/Bs 1.114,57/);
    api.answer({ exchangeRates: () => answer.promise });
    await field('comparison-amount').fill('200');
    await expect.element(field('bank-row').nth(1)).toMatchTextContent(/Bs 2.220,00.*Bs 9,15 menos que con Chasqui/);
    const figures = row('Chasqui').element().closest('[aria-busy]') as Element;
    await vi.waitFor(() => expect(figures.ariaBusy).toBe('true'));
    await expectAccessibleInBothSchemes(figures);
    answer.resolve(sampleComparison);
    await vi.waitFor(() => expect(figures.ariaBusy).toBe('false'));
  });

  test('/rate-tester claims nothing that the server does not prove', async () => {
    api.answer({ ...usual, exchangeRates: () => ({ ...sampleComparison, claimPercent: null }) });
    await open('/rate-tester');
    await expect.element(row('Chasqui')).toBeVisible();
    await expect.element(field('comparison-claim')).not.toBeInTheDocument();
  });

  test('/rate-tester says that the comparison could not be loaded and does not ask again by itself', async () => {
    api.answer({ ...usual, exchangeRates: () => ({ failure: 'internal', status: 500 }) });
    await open('/rate-tester');
    await expectText('message comparison: failed');
    await expect.element(field('bank-board')).toBeVisible();
    expect(timesAsked('exchangeRates')).toBe(1);
    api.answer(usual);
    await page.getByRole('button', { name: 'Reintentar' }).click();
    await expect.element(row('Chasqui')).toBeVisible();
    expect(timesAsked('exchangeRates')).toBe(2);
  });

  test('/rate-tester keeps its rows, and says that they may be old, when a refetch fails', async () => {
    api.answer(usual);
    await open('/rate-tester');
    await expect.element(row('Chasqui')).toBeVisible();
    api.answer({ exchangeRates: () => 'no connection', bankBoard: () => 'no connection' });
    live.connect();
    await expectText('message comparison: failed');
    await expect.element(row('Chasqui')).toBeVisible();
    await expect.element(field('bank-row').first()).toBeVisible();
  });

  test('in test mode a sender updates the rates once at a time, and reads that it failed', async () => {
    storeSession(senderSession);
    const answer = Promise.withResolvers<{ failure: 'internal'; status: number }>();
    api.answer({ ...usual, me: () => senderSession, updateRates: () => answer.promise });
    await open('/rate-tester');
    await expectText('message comparison: update control');
    pressTwice('rate-update');
    answer.resolve({ failure: 'internal', status: 500 });
    await expectText('message comparison: update failed');
    expect(timesAsked('updateRates')).toBe(1);
    api.answer({ updateRates: () => ({ updated: 9, failed: [] }) });
    await field('rate-update').click();
    await expect.element(field('rate-update-result')).toHaveTextContent('Se actualizaron 9 fuentes.');
    covers('call POST /api/update-rates');
  });
});

describe('/scraper', () => {
  test('/scraper has a message for an unknown error and for no data, and shows the prices for at least 1 dollar or euro', async () => {
    api.answer({ ...usual, scraper: () => ({ failure: 'internal', status: 500 }) });
    await page.viewport(1280, 900);
    await open('/scraper');
    await expectText('message scraper: failed');
    api.answer({ scraper: () => ({ ...pricesIn('USD'), results: {} }) });
    await field('scraper-refresh').click();
    await expectText('message scraper: no data');
    api.answer(usual);
    await field('scraper-refresh').click();
    await expect.element(field('scraper-row').first()).toMatchTextContent('1 USD = ');
    await field('scraper-currency').getByText('EUR').click();
    await expect.element(field('scraper-row').first()).toMatchTextContent('1 EUR = ');
    covers('route /scraper', 'call GET /api/scraper');
    await expectAccessibleAtAnyWidth();
    await field('scraper-amount').fill('0,99');
    await expect.element(page.getByText('Escribe un monto de 1 o más')).toBeVisible();
    await expect.element(field('scraper-refresh')).toBeDisabled();
    await field('scraper-amount').fill('1');
    await expect.element(field('scraper-refresh')).toBeEnabled();
    covers('rule scraper amount');
  });
});

test('a comparison is asked for again after five minutes, other answers only after a push', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const start = Date.now();
  api.answer(usual);
  const { router } = await open('/scraper');
  const compare = async () => {
    await router.navigate('/rate-tester');
    await expect.element(field('comparison-row').first()).toBeVisible();
  };
  const scrape = async () => {
    await router.navigate('/scraper');
    await expect.element(field('scraper-row').first()).toBeVisible();
  };
  await compare();
  await expect.element(field('bank-row').first()).toBeVisible();
  await scrape();
  vi.setSystemTime(start + 5 * minuteMs - 1000);
  await compare();
  window.dispatchEvent(new Event('focus'));
  document.dispatchEvent(new Event('visibilitychange'));
  await scrape();
  expect([timesAsked('exchangeRates'), timesAsked('bankBoard')]).toEqual([1, 1]);

  vi.setSystemTime(start + 5 * minuteMs + 1000);
  await compare();
  await expect.poll(() => timesAsked('exchangeRates')).toBe(2);
  await expect.poll(() => queryClient.isFetching()).toBe(0);
  covers('constant comparison stale 5 min');
  vi.setSystemTime(start + 24 * 60 * minuteMs);
  await scrape();
  await compare();
  await expect.poll(() => timesAsked('exchangeRates')).toBe(3);
  expect(timesAsked('bankBoard')).toBe(1);
  covers('constant query defaults');
  live.push('rates:collected', { collectedAt: new Date().toISOString() });
  await expect.poll(() => [timesAsked('exchangeRates'), timesAsked('bankBoard')]).toEqual([4, 2]);
  vi.useRealTimers();
});
