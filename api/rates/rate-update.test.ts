import { afterAll, beforeAll, expect, test } from 'vitest';
import { RateRun } from '#domain/rate-observations/rate-run.entity';
import { type ApiConfiguration, readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { TestApi } from '../testing/test-api.ts';
import { expectFailure } from '../testing/test-app.ts';

/** No worker runs here, so no forced run ends in time. */
const options = { rateRunWaitMs: 20 };
let testMode: TestApi;
let liveMode: TestApi;
beforeAll(async () => {
  const { url } = await createTestDatabase();
  const env = readApiConfiguration({ ...testEnvironment, DATABASE_URL: url });
  const live: ApiConfiguration = { ...env, mode: 'live' };
  [testMode, liveMode] = await Promise.all([TestApi.start(env, options), TestApi.start(live, options)]);
});
afterAll(() => Promise.all([testMode, liveMode].map((api) => api?.close())));

const runs = () => testMode.database.fork().find(RateRun, {});

test('in test mode everybody signed in may force a rate run, once a minute', async () => {
  const { browser } = await testMode.person();
  const { status, body } = await browser.send('POST', '/api/update-rates', { amount: '250' });
  expect({ status, updated: body.updated }).toEqual({ status: 200, updated: 0 });
  expect(body.failed).toContainEqual({
    source: 'bcb',
    reason: 'no_answer_yet',
    sentence: 'Sin respuesta todavía',
  });
  expect(await runs()).toMatchObject([{ trigger: 'forced', amountMinor: 25_000n }]);
  expectFailure(await browser.send('POST', '/api/update-rates', {}), 429, 'too_many_requests');
});

test('in live mode only admins may force a rate run', async () => {
  const sender = await liveMode.person();
  expectFailure(await sender.browser.send('POST', '/api/update-rates', {}), 403, 'forbidden');
  const admin = await liveMode.person('admin');
  expect((await admin.browser.send('POST', '/api/update-rates', {})).status).toBe(200);
});

test("an admin's refresh forces a rate run too, unless that admin just did", async () => {
  const { browser } = await testMode.person('admin');
  const refresh = async () => (await browser.send('POST', '/api/admin/refresh')).body;
  expect(await refresh()).toEqual({
    success: true,
    count: 0,
    sourcesAsked: true,
    message: 'No hay transferencias abiertas. Se consultan las fuentes de tasas.',
  });
  expect((await refresh()).message).toBe(
    'No hay transferencias abiertas. Las fuentes de tasas se consultaron hace menos de un minuto.',
  );
});
