import { afterAll, beforeAll, expect, test } from 'vitest';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { TestApi } from '../testing/test-api.ts';
import { expectFailure } from '../testing/test-app.ts';

let live: TestApi;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  live = await TestApi.start({ ...readApiConfiguration({ ...testEnvironment, DATABASE_URL: url }), mode: 'live' });
});
afterAll(() => live?.close());

test('where money is real, the documentation of the calls is for admins only', async () => {
  const admin = await live.person('admin');
  const sender = await live.person();
  for (const path of ['/api/docs', '/api/docs/', '/api/docs-json', '/api/docs-yaml', '/api/docs/swagger-ui-init.js']) {
    expectFailure(await live.visitor().send('GET', path), 401, 'unauthenticated');
    expectFailure(await sender.browser.send('GET', path), 403, 'forbidden');
    expect((await admin.browser.send('GET', path)).status, path).toBe(200);
  }
});
