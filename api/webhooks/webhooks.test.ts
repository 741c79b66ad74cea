import { afterAll, beforeAll, expect, test } from 'vitest';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { TestApi } from '../testing/test-api.ts';

let api: TestApi;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  api = await TestApi.start(readApiConfiguration({ ...testEnvironment, DATABASE_URL: url }));
});
afterAll(() => api?.close());

test('whatever an owner changes about a webhook is in the audit log', async () => {
  const { browser, user } = await api.person('admin');
  const input = { url: 'https://partner.example/events', description: 'Contabilidad', events: ['transfer.completed'] };
  const { body } = await browser.send('POST', '/api/admin/webhooks', input);
  const path = `/api/admin/webhooks/${body.webhook.id}`;
  expect((await browser.send('PUT', path, { ...input, enabled: false })).status).toBe(200);
  const rotated = await browser.send('POST', `${path}/rotate`);
  expect(rotated.status).toBe(200);
  expect(rotated.body.secret).not.toBe(body.secret);
  const log = await api.database
    .fork()
    .execute<{ kind: string }[]>('select kind from audit_entry where subject = ? and actor_id = ? order by at', [
      body.webhook.id,
      user.id,
    ]);
  expect(log.map(({ kind }) => kind)).toEqual(['webhook_created', 'webhook_changed', 'webhook_secret_rotated']);
});
