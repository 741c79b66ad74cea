import { expect, it, onTestFinished } from 'vitest';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { TestApi } from '../testing/test-api.ts';

it.each([
  [
    { HELP_WHATSAPP: '+591 712 34567', HELP_EMAIL: 'ayuda@example.com' },
    { whatsapp: '59171234567', email: 'ayuda@example.com' },
  ],
  [{}, { whatsapp: null, email: null }],
])('the help contact configured as %j is answered as %j', async (configured, contact) => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const env = readApiConfiguration({ ...testEnvironment, ...configured, DATABASE_URL: database.url });
  const api = await TestApi.start(env);
  onTestFinished(() => api.close());
  const answer = await api.visitor().send('GET', '/api/help/contact');
  expect(answer).toMatchObject({ status: 200, body: contact });
});
