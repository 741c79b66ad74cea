import { expect, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { ApiClient } from './api-client.ts';
import { changeRate, useApp } from './test-app.ts';
import { until } from './until.ts';

// Nothing sweeps here: what happens at its hour is the scheduled job’s doing.
const app = useApp({ env: { SWEEP_SECONDS: '3600', RATE_MAX_STEP_BASIS_POINTS: '2000' } });

test('one admin moves a rate within the guard-rails, two beyond them, and the worker at its hour', async () => {
  const { admin, secondAdmin } = app;
  const visitor = new ApiClient(app.url);
  const dollar = async () => (await visitor.call(endpoints.getRate, { params: { currency: 'usd' } })).rate;
  await until('the sources were asked', async () => (await admin.call(endpoints.rateDesk)).currencies.USD.reference);

  // Below whatever the played market pays, then above it.
  await admin.call(endpoints.setRate, { body: { currency: 'USD', rate: '10.50' } });
  expect(await dollar()).toBe('10.50');
  const body = { currency: 'USD', rate: '12.50' };
  await expect(admin.call(endpoints.setRate, { body })).rejects.toMatchObject({ code: 'rate_reason_required' });
  const reason = 'Promoción de fin de año';
  const { change } = await admin.call(endpoints.setRate, { body: { ...body, reason } });
  const params = { id: change.id };
  const alone = admin.call(endpoints.confirmRateChange, { params });
  await expect(alone).rejects.toMatchObject({ code: 'second_person_needed' });
  expect(await dollar()).toBe('10.50');
  await secondAdmin.call(endpoints.confirmRateChange, { params });
  expect(await dollar()).toBe('12.50');

  const activateAt = new Date(Date.now() + 3_000).toISOString();
  const scheduled = await admin.call(endpoints.setRate, {
    body: { currency: 'USD', rate: '12.40', reason, activateAt },
  });
  const { change: agreed } = await secondAdmin.call(endpoints.confirmRateChange, {
    params: { id: scheduled.change.id },
  });
  expect(agreed).toMatchObject({ state: 'scheduled', activateAt, decidedBy: 'Luis Rojas' });
  await until('its hour has come', async () => (await dollar()) === '12.40');
  const { items } = await admin.call(endpoints.rateHistory, { query: { currency: 'USD', limit: 1 } });
  expect(items[0]).toMatchObject({
    rate: '12.40',
    state: 'activated',
    setBy: 'Ana Quispe',
    decidedBy: 'Luis Rojas',
    reason,
  });
  expect(Date.parse(items[0]?.activatedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(activateAt));

  await changeRate(app, 'EUR', '14.60');
  expect((await visitor.call(endpoints.getRate, { params: { currency: 'eur' } })).rate).toBe('14.60');
}, 90_000);
