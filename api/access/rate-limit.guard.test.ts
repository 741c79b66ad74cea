import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { TestApi } from '../testing/test-api.ts';
import { expectFailure } from '../testing/test-app.ts';
import { type RateLimitName, rateLimitRules } from './rate-limit-rules.ts';

const names = Object.keys(rateLimitRules) as RateLimitName[];
const once = Object.fromEntries(names.filter((name) => !name.startsWith('signIns')).map((name) => [name, 1]));
let api: TestApi;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  api = await TestApi.start(readApiConfiguration({ ...testEnvironment, DATABASE_URL: url }), { rateLimitPoints: once });
});
afterAll(() => api?.close());

/** Every call that costs something, and who makes it. Invalid input counts too: the limit comes first. */
const limitedCalls = [
  ['visitor', 'POST', '/api/quote'],
  ['visitor', 'POST', '/api/auth/register'],
  ['visitor', 'POST', '/api/auth/recovery-link'],
  ['user', 'POST', '/api/recipients'],
  ['user', 'PUT', `/api/recipients/${randomUUID()}`],
  ['user', 'POST', '/api/new-account/create-payment-intent'],
  ['user', 'POST', '/api/create-payment-intent'],
  ['user', 'GET', '/api/new-account/payment-status/pi_1'],
  ['user', 'POST', '/api/new-account/confirm-transaction'],
  ['user', 'POST', '/api/create-onramp-session'],
  ['user', 'POST', `/api/crypto-orders/${randomUUID()}/refresh`],
  ['admin', 'POST', '/api/admin/refresh'],
] as const;

describe('a limited call', () => {
  it.each(limitedCalls)('a limited call of a %s, %s %s, is refused beyond its limit', async (who, method, path) => {
    const browser = who === 'visitor' ? api.visitor() : (await api.person(who)).browser;
    const body = method === 'GET' ? undefined : {};
    expect((await browser.send(method, path, body)).status).not.toBe(429);
    const refused = await browser.send(method, path, body);
    expectFailure(refused, 429, 'too_many_requests');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('a limited call counts for its own person only, not for others', async () => {
    const { browser } = await api.person();
    expect((await browser.send('POST', '/api/recipients', {})).status).toBe(400);
  });
});
