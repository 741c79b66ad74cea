import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RecipientView } from '#core/contracts/http/recipients';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { sampleRecipient } from '../testing/request-fixtures.ts';
import { TestApi } from '../testing/test-api.ts';
import { expectFailure } from '../testing/test-app.ts';

let testDatabase: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  api = await TestApi.start(readApiConfiguration({ ...testEnvironment, DATABASE_URL: testDatabase.url }));
});
afterAll(async () => {
  await api.close();
  await testDatabase.drop();
});

test('a recipient that is saved several times at once, as by a double click, is one recipient', async () => {
  const { browser } = await api.person();
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => browser.send('POST', '/api/recipients', sampleRecipient)),
  );
  const ids = new Set(answers.map(({ body }) => (body as RecipientView).id));
  expect(answers.every(({ status }) => status < 300)).toBe(true);
  expect(ids.size).toBe(1);
  const { body } = await browser.send('GET', '/api/recipients');
  expect((body as { items: unknown[] }).items).toHaveLength(1);
});

test('recipients that differ in one detail are two recipients, and a removed one can be added again', async () => {
  const { browser } = await api.person();
  const first = (await browser.send('POST', '/api/recipients', sampleRecipient)).body as RecipientView;
  const other = { ...sampleRecipient, bankAccount: '99000012345678' };
  const second = (await browser.send('POST', '/api/recipients', other)).body as RecipientView;
  expect(second.id).not.toBe(first.id);
  await browser.send('DELETE', `/api/recipients/${first.id}`);
  const again = (await browser.send('POST', '/api/recipients', sampleRecipient)).body as RecipientView;
  expect(again.id).not.toBe(first.id);
});

test('a sender keeps 200 recipients at most, and a removed one makes room for another', async () => {
  const { browser, user } = await api.person();
  const first = await browser.send('POST', '/api/recipients', sampleRecipient);
  await api.database.fork().execute(
    `insert into recipient (id, user_id, name, email, phone, ci, bank_name, bank_account, address, city, relationship,
       created_at) select gen_random_uuid(), ?, 'Rosa', '', '', '', '', '', '', '', '', now() from generate_series(1, 199)`,
    [user.id],
  );
  const another = { ...sampleRecipient, bankAccount: '99000012345678' };
  expectFailure(await browser.send('POST', '/api/recipients', another), 422, 'too_many_recipients');
  expect((await browser.send('DELETE', `/api/recipients/${first.body.id}`)).status).toBe(204);
  expect((await browser.send('POST', '/api/recipients', another)).status).toBe(201);
});
