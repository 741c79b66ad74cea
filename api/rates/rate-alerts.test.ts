import { afterAll, beforeAll, expect, it } from 'vitest';
import { maxWaitingAlerts } from '#core/contracts/http/rate-alerts';
import { RateAlert } from '#domain/rates/rate.entity';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { TestApi } from '../testing/test-api.ts';
import { expectFailure } from '../testing/test-app.ts';
import type { TestBrowser } from '../testing/test-browser.ts';

let api: TestApi;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  api = await TestApi.start(readApiConfiguration({ ...testEnvironment, DATABASE_URL: url }));
});

afterAll(() => api?.close());

const ask = (browser: TestBrowser, rate: string, currency = 'EUR') =>
  browser.send('POST', '/api/rate-alerts', { currency, rate });

it('a rate alert is refused while no rate was ever set', async () => {
  const { browser } = await api.person();
  expectFailure(await ask(browser, '13.50'), 503, 'rate_unavailable');
  const admin = await api.person('admin');
  await api.setRates(admin.user, 13_380_000n);
});

it('rate alerts are listed newest first and deleted by their owner', async () => {
  const { browser } = await api.person();
  const first = (await ask(browser, '13.50')).body;
  const second = (await ask(browser, '13.39', 'usd')).body;
  expect(second).toMatchObject({ currency: 'USD', rate: '13.39', firedAt: null, firedRate: null });
  expect((await browser.send('GET', '/api/rate-alerts')).body).toEqual({ items: [second, first], nextCursor: null });
  const page = (await browser.send('GET', '/api/rate-alerts?limit=1')).body;
  expect(page.items).toEqual([second]);
  const rest = await browser.send('GET', `/api/rate-alerts?limit=1&cursor=${page.nextCursor}`);
  expect(rest.body).toEqual({ items: [first], nextCursor: null });
  expect((await browser.send('DELETE', `/api/rate-alerts/${first.id}`)).status).toBe(204);
  expectFailure(await browser.send('DELETE', `/api/rate-alerts/${first.id}`), 404, 'not_found');
  expect((await browser.send('GET', '/api/rate-alerts')).body.items).toEqual([second]);
});

it('rate alerts of one person are neither listed nor deleted by another', async () => {
  const [owner, other] = [await api.person(), await api.person()];
  const { id } = (await ask(owner.browser, '20')).body;
  expect((await other.browser.send('GET', '/api/rate-alerts')).body.items).toEqual([]);
  expectFailure(await other.browser.send('DELETE', `/api/rate-alerts/${id}`), 404, 'not_found');
  expect(await api.database.fork().count(RateAlert, { id })).toBe(1);
});

it.each(['13.38', '13.37', '0.01'])('a rate alert at %s is refused because the rate has reached it', async (rate) => {
  const { browser } = await api.person();
  expectFailure(await ask(browser, rate), 422, 'alert_already_met');
});

it('a person has ten waiting rate alerts at most, however many requests come at once; fired ones do not count', async () => {
  const { browser, user } = await api.person();
  const responses = await Promise.all(
    Array.from({ length: maxWaitingAlerts + 3 }, (_, index) => ask(browser, `${20 + index}`)),
  );
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(maxWaitingAlerts);
  for (const refused of responses.filter(({ status }) => status !== 201))
    expectFailure(refused, 422, 'too_many_alerts');
  const [one] = await api.database.fork().find(RateAlert, { userId: user.id }, { limit: 1 });
  await api.database
    .fork()
    .nativeUpdate(RateAlert, { id: one?.id ?? '' }, { firedAt: new Date(), firedRate: one?.rate ?? null });
  expect((await ask(browser, '40')).status).toBe(201);
});
