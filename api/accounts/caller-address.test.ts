import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { TestApi } from '../testing/test-api.ts';

const rateLimitPoints = { signInsPerNetwork: 2 };
const behindProxy = { ...testEnvironment, TRUST_PROXY: '10.1.0.0/16, 127.0.0.1' };
let direct: TestApi;
let proxied: TestApi;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  direct = await TestApi.start(readApiConfiguration({ ...testEnvironment, DATABASE_URL: url }), { rateLimitPoints });
  proxied = await TestApi.start(readApiConfiguration({ ...behindProxy, DATABASE_URL: url }), { rateLimitPoints });
});

afterAll(async () => {
  await direct?.close();
  await proxied?.close();
});

/** Status of one wrong sign-in that says where it comes from. */
async function guess(api: TestApi, forwardedFor: string): Promise<number> {
  const body = { email: 'nadie@example.com', password: 'mala' };
  const answer = await api.visitor().send('POST', '/api/auth/login', body, { 'x-forwarded-for': forwardedFor });
  return answer.status;
}

describe("the caller's address", () => {
  it('the caller’s address is the connection’s when no proxy is configured: a forged X-Forwarded-For voids no limit', async () => {
    const statuses = [];
    for (const forged of ['203.0.113.1', '203.0.113.2', '10.0.0.3']) statuses.push(await guess(direct, forged));
    expect(statuses).toEqual([401, 401, 429]);
  });

  it('the caller’s address is what configured proxies appended, whatever the caller wrote before it', async () => {
    const statuses = [];
    for (const written of ['198.51.100.1', '198.51.100.2', '198.51.100.3']) {
      statuses.push(await guess(proxied, `${written}, 203.0.113.7, 10.1.2.3`));
    }
    expect(statuses).toEqual([401, 401, 429]);
    expect(await guess(proxied, '203.0.113.7, 203.0.113.8')).toBe(401);
  });
});
