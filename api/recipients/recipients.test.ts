import { afterAll, beforeAll, expect, it } from 'vitest';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { sampleRecipient } from '../testing/request-fixtures.ts';
import { TestApi } from '../testing/test-api.ts';
import { expectFailure } from '../testing/test-app.ts';

let api: TestApi;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  api = await TestApi.start(readApiConfiguration({ ...testEnvironment, DATABASE_URL: url }));
});
afterAll(() => api?.close());

it('a sender keeps 200 recipients at most, and a removed one makes room for another', async () => {
  const { browser, user } = await api.person();
  const first = await browser.send('POST', '/api/recipients', sampleRecipient);
  await api.database.fork().execute(
    `insert into recipient (id, user_id, name, email, phone, ci, bank_name, bank_account, address, city, relationship,
       created_at) select gen_random_uuid(), ?, 'Rosa', '', '', '', '', '', '', '', '', now() from generate_series(1, 199)`,
    [user.id],
  );
  expectFailure(await browser.send('POST', '/api/recipients', sampleRecipient), 422, 'too_many_recipients');
  expect((await browser.send('DELETE', `/api/recipients/${first.body.id}`)).status).toBe(204);
  expect((await browser.send('POST', '/api/recipients', sampleRecipient)).status).toBe(201);
});
