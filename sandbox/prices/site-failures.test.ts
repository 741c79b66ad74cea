import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { fetchPrice, fetchSite, PARSERS, type SiteRequest, siteRequest } from '../testing/price-sites.ts';
import { SandboxClient } from '../testing/sandbox-client.ts';
import { type SiteName, siteNames } from './modes.ts';

// Long timeouts for a busy machine; they are not waited for.
vi.setConfig({ testTimeout: 20_000, hookTimeout: 30_000 });

let client: SandboxClient;
beforeAll(async () => {
  client = await SandboxClient.start();
});
afterAll(() => client.close());
beforeEach(() => client.control('POST', '/reset'));

const call = (one: SiteRequest) => fetchSite(client.sandbox.url, one);
const usualRequest = (name: SiteName, currency?: 'USD' | 'EUR') => siteRequest(client.sandbox.url, name, currency);
const price = (name: SiteName) => fetchPrice(client.sandbox.url, name);

describe('what simulated price sites require', () => {
  test('MoneyGram refuses requests without its headers', async () => {
    const { path } = await usualRequest('moneyGram', 'EUR');
    expect((await call({ path, headers: { 'accept-language': 'en-US' } })).status).toBe(403);
  });

  test('Ria refuses requests without a token younger than twenty minutes', async () => {
    const request = await usualRequest('ria', 'EUR');
    expect((await call({ ...request, headers: {} })).status).toBe(401);
    expect((await call({ ...request, headers: { authorization: 'Bearer a.b.c' } })).status).toBe(401);
    expect((await call(request)).status).toBe(200);
    await client.control('POST', '/clock/advance', { seconds: 21 * 60 });
    expect((await call(request)).status).toBe(401);
  });

  test('Western Union answers an incomplete request with status -1', async () => {
    const response = await call({ path: '/westernUnion/wuconnect/prices/catalog', body: { sender: {} } });
    expect(await response.json()).toMatchObject({ response_status: { status: -1 }, services_groups: [] });
  });

  test.each([
    ['/remitly/v3/calculator/estimate?conduit=ESP:EUR-PER:PEN&amount=100', 400],
    ['/wise/v4/comparisons/?sourceCurrency=EUR&targetCurrency=BOB', 422],
    ['/dolarApi/v1/euros', 404],
    ['/unknown/site', 404],
  ])('price site path %s is answered with %i', async (path, status) => {
    expect((await call({ path })).status).toBe(status);
  });
});

describe('injected failures of price sites', () => {
  test.each(siteNames.flatMap((name) => [403, 429].map((status) => [name, status] as const)))(
    'the price site %s answers %i as often as the fault says',
    async (name, status) => {
      const request = await usualRequest(name);
      await client.control('POST', '/faults', { path: `^/prices/${name}/`, kind: 'error', status, times: 2 });
      expect((await call(request)).status).toBe(status);
      expect((await call(request)).status).toBe(status);
      expect((await call(request)).status).toBe(200);
    },
  );

  test('timeout, drop and slow faults of one price site leave the others working', async () => {
    const request = await usualRequest('remitly', 'USD');
    const order = { path: '^/prices/remitly/' };
    await client.control('POST', '/faults', { ...order, kind: 'timeout' });
    await expect(call({ ...request, signal: AbortSignal.timeout(150) })).rejects.toThrow(/aborted|timeout/i);
    await client.control('POST', '/faults', { ...order, kind: 'drop' });
    await price('ria');
    await expect(call(request)).rejects.toThrow();
    await client.control('POST', '/faults', { ...order, kind: 'slow', delayMs: 300 });
    const started = performance.now();
    await price('remitly');
    expect(performance.now() - started).toBeGreaterThan(290);
  });

  test.each(siteNames)(
    'the price site %s in mode changed_shape cannot be parsed until the mode is normal again',
    async (name) => {
      await client.control('PUT', '/prices/mode', { source: name, mode: 'changed_shape' });
      const response = await call(await usualRequest(name));
      const text = await response.text();
      expect(response.status).toBe(200);
      expect(() => PARSERS[name](text)).toThrow();
      await client.control('PUT', '/prices/mode', { source: name, mode: 'normal' });
      await price(name);
    },
  );

  test.each(siteNames)(
    'the price site %s has ten times the rate in mode absurd_value and a third more in mode wrong_value',
    async (name) => {
      const before = (await price(name)).rate;
      await client.control('PUT', '/prices/mode', { source: name, mode: 'wrong_value' });
      expect((await price(name)).rate / before).toBeCloseTo(1.33, 1);
      const set = await client.control('PUT', '/prices/mode', { source: name, mode: 'absurd_value' });
      expect(set).toMatchObject({ data: { [name]: 'absurd_value' } });
      expect((await price(name)).rate / before).toBeCloseTo(10, 1);
      const others = siteNames.filter((other) => other !== name);
      const { priceModes } = await client.control<{ priceModes: Record<string, string> }>('GET', '/state');
      expect(others.map((other) => priceModes[other])).toEqual(others.map(() => 'normal'));
    },
  );

  test('a mode for an unknown price site is refused', async () => {
    const unknown = client.control('PUT', '/prices/mode', { source: 'xoom', mode: 'normal' });
    await expect(unknown).rejects.toThrow('400');
  });
});
