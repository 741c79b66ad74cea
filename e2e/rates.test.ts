import { expect, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { signUp } from './api-client.ts';
import { useApp } from './test-app.ts';
import { until } from './until.ts';

const app = useApp({ alone: true });

test('prices are collected from every site when the worker starts and when an admin asks, failures named', async () => {
  const person = await signUp(app.url);
  const compared = () => person.call(endpoints.exchangeRates, { query: { amount: '100', currency: 'EUR' } });
  await until('every competitor is live', async () => {
    const { competitors } = await compared();
    return competitors.length === 5 && competitors.every(({ freshness }) => freshness === 'live');
  });
  const before = await compared();
  const methods = Object.fromEntries(before.competitors.map(({ id, method }) => [id, method]));
  expect(methods).toMatchObject({ ria: 'precio directo', moneyGram: 'precio directo', wise: 'comparador de Wise' });
  const quote = await person.call(endpoints.quote, { body: { amount: '100', currency: 'EUR' } });
  expect(quote.markupPercent).not.toBeNull();

  await app.sandbox.priceMode('ria', 'changed_shape');
  await app.sandbox.fault({ kind: 'error', path: '/prices/moneyGram', status: 403, times: 1 });
  const { updated, failed } = await app.admin.call(endpoints.updateRates, { body: { amount: '100' } });
  expect(failed).toEqual([
    { source: 'moneyGram', reason: 'forbidden' },
    { source: 'ria', reason: 'changed_shape' },
  ]);
  expect(updated).toBe(9);
  const again = app.admin.call(endpoints.updateRates, { body: { amount: '100' } });
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
