import { randomUUID } from 'node:crypto';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '#core/contracts/http/endpoint';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { servedEndpoint } from '../http/serve.ts';
import { TestApi } from '../testing/test-api.ts';
import { expectFailure } from '../testing/test-app.ts';
import { rateLimited } from './rate-limit.guard.ts';
import { callLimits, type RateLimitName, type RequestLimitName, rateLimitRules } from './rate-limit-rules.ts';

const names = Object.keys(rateLimitRules) as RateLimitName[];
const isForEveryCall = (name: string) => name in callLimits || name === 'callsPerNetwork';
const once = Object.fromEntries(
  names.filter((name) => !name.startsWith('signIns') && !isForEveryCall(name)).map((name) => [name, 1]),
);
let api: TestApi;
let limitedByCost: TestApi;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  const env = readApiConfiguration({ ...testEnvironment, DATABASE_URL: url, TRUST_PROXY: '127.0.0.1' });
  api = await TestApi.start(env, { rateLimitPoints: once });
  const callsOnce = Object.fromEntries(Object.keys(callLimits).map((name) => [name, 1]));
  // Counts are in the database.
  limitedByCost = await TestApi.start(
    { ...env, databaseUrl: (await createTestDatabase()).url },
    {
      // People sign in from one network here.
      rateLimitPoints: { ...callsOnce, secretCallsPerNetwork: 10, callsPerNetwork: 20 },
    },
  );
});
afterAll(async () => {
  await api?.close();
  await limitedByCost?.close();
});

/** Calls with a limit of their own, from the handlers of all controllers: what the guard reads. */
async function limitedCalls() {
  const controllers = join(import.meta.dirname, '..');
  const found: { call: string; endpoint: Endpoint; limit: RequestLimitName }[] = [];
  for await (const file of glob('**/*.controller.ts', { cwd: controllers })) {
    const classes = Object.values<{ prototype?: object }>(await import(join(controllers, file)));
    const handlers = classes.flatMap(({ prototype }) =>
      Object.values(Object.getOwnPropertyDescriptors(prototype ?? {})).map(({ value }) => value),
    );
    for (const handler of handlers.filter((one) => typeof one === 'function')) {
      const limit: RequestLimitName | undefined = Reflect.getMetadata(rateLimited, handler);
      const endpoint: Endpoint | undefined = Reflect.getMetadata(servedEndpoint, handler);
      if (limit && endpoint) found.push({ call: `${endpoint.method} ${endpoint.path}`, endpoint, limit });
    }
  }
  return found.sort((one, other) => one.call.localeCompare(other.call, 'en'));
}
const calls = await limitedCalls();
let networks = 0;

describe('a limited call', () => {
  it('is one of these, each with its limit', async () => {
    const lines = calls.map(({ call, limit }) => `${call}: ${limit}\n`).join('');
    await expect(lines).toMatchFileSnapshot('limited-calls.txt');
  });

  // Invalid input counts too: the limit comes first.
  it.each(calls)('$call is refused beyond its limit', async ({ endpoint: { method, path, access } }) => {
    const browser =
      access === 'public' ? api.visitor() : (await api.person(access === 'admin' ? 'admin' : 'user')).browser;
    const body = method === 'GET' ? undefined : {};
    networks += 1;
    const network = { 'x-forwarded-for': `203.0.113.${networks}` };
    const send = () => browser.send(method, path.replace(/\{\w+\}/g, randomUUID()), body, network);
    expect((await send()).status).not.toBe(429);
    const refused = await send();
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

  it('are counted by network before the session lookup, including live connections and the queue dashboard', async () => {
    const forged = limitedByCost.visitor();
    forged.cookie = `chasqui_session=${'A'.repeat(43)}`;
    for (let call = 0; call < 20; call += 1) await forged.send('GET', '/api/auth/me');
    expectFailure(await forged.send('GET', '/api/auth/me'), 429, 'too_many_requests');
    expectFailure(await forged.send('GET', '/ops/queues/api/queues'), 429, 'too_many_requests');
    expect((await forged.request('GET', '/socket.io/?EIO=4&transport=polling', {})).status).toBe(403);
  });
});
