import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { TestApi } from '../testing/test-api.ts';
import { expectFailure } from '../testing/test-app.ts';
import { callLimits, type RateLimitName, rateLimitRules } from './rate-limit-rules.ts';

const names = Object.keys(rateLimitRules) as RateLimitName[];
const isForEveryCall = (name: string) => name in callLimits || name === 'callsPerNetwork';
const once = Object.fromEntries(
  names.filter((name) => !name.startsWith('signIns') && !isForEveryCall(name)).map((name) => [name, 1]),
);
let api: TestApi;
let limitedByCost: TestApi;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  const env = readApiConfiguration({ ...testEnvironment, DATABASE_URL: url });
  api = await TestApi.start(env, { rateLimitPoints: once });
  const callsOnce = Object.fromEntries(Object.keys(callLimits).map((name) => [name, 1]));
  limitedByCost = await TestApi.start(env, {
    // People sign in from one network here.
    rateLimitPoints: { ...callsOnce, secretCallsPerNetwork: 10, callsPerNetwork: 20 },
  });
});
afterAll(async () => {
  await api?.close();
  await limitedByCost?.close();
});

/** Every call that costs something, and who makes it. Invalid input counts too: the limit comes first. */
const limitedCalls = [
  ['visitor', 'POST', '/api/quote'],
  ['visitor', 'POST', '/api/auth/register'],
  ['visitor', 'POST', '/api/auth/recovery-link'],
  ['visitor', 'POST', '/api/auth/passkey/options'],
  ['user', 'POST', '/api/account/passkeys'],
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

describe('calls that have no limit of their own', () => {
  it('are limited together with others of the same cost, by person or by network', async () => {
    const { browser } = await limitedByCost.person();
    const other = await limitedByCost.person();
    const visitor = limitedByCost.visitor();
    expect((await browser.send('GET', '/api/recipients')).status).toBe(200);
    const refused = await browser.send('GET', '/api/news');
    expectFailure(refused, 429, 'too_many_requests');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await other.browser.send('GET', '/api/news')).status).toBe(200);
    expect((await browser.send('POST', '/api/news/read', {})).status).not.toBe(429);
    expect((await visitor.send('GET', '/api/help/contact')).status).toBe(200);
    expectFailure(await visitor.send('GET', '/api/payments/config'), 429, 'too_many_requests');
  });

  it('are counted by network before a session is looked for, live connections and the queue dashboard too', async () => {
    const forged = limitedByCost.visitor();
    forged.cookie = `chasqui_session=${'A'.repeat(43)}`;
    for (let call = 0; call < 20; call += 1) await forged.send('GET', '/api/auth/me');
    expectFailure(await forged.send('GET', '/api/auth/me'), 429, 'too_many_requests');
    expectFailure(await forged.send('GET', '/ops/queues/api/queues'), 429, 'too_many_requests');
    expect((await forged.request('GET', '/socket.io/?EIO=4&transport=polling', {})).status).toBe(403);
  });
});
