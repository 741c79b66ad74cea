import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { SourceHealthView } from '#core/contracts/http/rate-source-health';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { openAsAdmin, sampleChange } from '../../../testing/admin-panel.tsx';
import { expectText } from '../../../testing/conformance.ts';
import { installFakeApi } from '../../../testing/fake-api.ts';
import { RatesTab } from './rates-tab.tsx';

const api = installFakeApi();
beforeEach(() => page.viewport(1280, 900));

const source = (changes: Partial<SourceHealthView> = {}): SourceHealthView => ({
  source: 'ria',
  name: 'Ria',
  status: 'working',
  lastSuccessAt: '2026-11-21T14:00:00.000Z',
  lastAskedAt: '2026-11-21T14:00:00.000Z',
  latencyMs: 840,
  attempts: 12,
  failures: 0,
  lastFailure: null,
  ...changes,
});
const failing = source({
  status: 'failing',
  failures: 1,
  lastFailure: { code: 'changed_shape', field: 'body', sentence: 'Mensaje de changed_shape.' },
});

test('the history of rates says when there is none', async () => {
  await openAsAdmin(api, <RatesTab />);
  await expectText('message rate history: empty');
});

test('the history of rates says who set, confirmed, discarded and withdrew what and why, at any width', async () => {
  const decided = { decidedBy: 'Luis Rojas', decidedAt: '2026-11-21T16:00:00.000Z', expiresAt: null };
  const { screen } = await openAsAdmin(api, <RatesTab />, {
    rateHistory: () => ({
      items: [
        sampleChange({ ...decided, id: '3', state: 'activated' }),
        sampleChange({ ...decided, id: '2', state: 'declined', reason: 'palabra'.repeat(20) }),
        sampleChange({ ...decided, id: '1', state: 'cancelled', decidedBy: 'Ana Quispe' }),
      ],
      nextCursor: null,
    }),
    rateSources: () => ({ sources: [source({ source: 'dolarApi', name: 'Dólar API' }), failing], lastRunAt: null }),
  });
  for (const width of [390, 1280]) {
    await page.viewport(width, 900);
    const rows = screen.getByTestId('admin-rate-history-row');
    for (const part of [/1 USD = 14,50 Bs/, /Ana Quispe/, /Luis Rojas/, /El mercado saltó/, /Aplicado/])
      await expect.element(rows.first()).toMatchTextContent(part);
    await expect.element(rows.nth(1)).toMatchTextContent(/Descartado.*por Luis Rojas/);
    await expect.element(rows.nth(2)).toMatchTextContent(/Retirado.*por Ana Quispe/);
    const sources = screen.getByTestId('admin-rate-source');
    await expect.element(sources.first()).toMatchTextContent(/Dólar API.*Funciona/);
    for (const part of [/Falla/, /Cambió su formato/, /1 de 12/, /840 ms/])
      await expect.element(sources.nth(1)).toMatchTextContent(part);
    await expectAccessible();
    await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  }
});

test('the chart of rates follows the chosen currency and period', async () => {
  const points = [{ date: '2026-11-20', ours: '13.38', reference: '13.60', competitors: {} }];
  const { screen } = await openAsAdmin(api, <RatesTab />, {
    rateSeries: ({ params, query }) => ({
      history: false,
      currency: params.currency === 'EUR' ? 'EUR' : 'USD',
      days: query.days === '365' ? 365 : 30,
      points,
    }),
  });
  const part = screen.getByTestId('admin-rate-chart');
  const chart = part.getByTestId('rate-chart');
  const shows = async (currency: string, days: string) => {
    await expect.element(chart).toHaveAttribute('data-currency', currency);
    await expect.element(chart).toHaveAttribute('data-days', days);
  };
  await shows('USD', '30');
  await part.getByTestId('admin-rate-chart-days').getByText('1 año').click();
  await shows('USD', '365');
  await part.getByTestId('admin-rate-chart-currency').getByText('EUR').click();
  await shows('EUR', '365');
  expect(api.calls.filter(({ name }) => name === 'rateSeries')).toHaveLength(3);
});

test('an admin has every source asked now, once, and reads which one did not answer and why', async () => {
  const answer = Promise.withResolvers<void>();
  const { screen } = await openAsAdmin(api, <RatesTab />, {
    rateSources: () => ({ sources: [source()], lastRunAt: null }),
    updateRates: async () => {
      await answer.promise;
      return {
        updated: 8,
        failed: [{ source: 'ria', reason: 'changed_shape', field: 'rate', sentence: 'Mensaje de changed_shape.' }],
      } as const;
    },
  });
  await expect.element(screen.getByTestId('admin-rate-source')).toHaveAttribute('data-status', 'working');
  await screen.getByTestId('admin-rate-ask').dblClick();
  api.answer({ rateSources: () => ({ sources: [failing], lastRunAt: '2026-11-21T15:00:00.000Z' }) });
  answer.resolve();
  await expect
    .element(screen.getByTestId('admin-rate-ask-result'))
    .toMatchTextContent('8 fuentes respondieron, 1 no: Ria (Cambió su formato: falta el campo rate o es otro).');
  await expect.element(screen.getByTestId('admin-rate-source')).toHaveAttribute('data-status', 'failing');
  expect(api.calls.filter(({ name }) => name === 'updateRates')).toHaveLength(1);
});
