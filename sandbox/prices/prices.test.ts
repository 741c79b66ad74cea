import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { comma, fetchPrice, fetchSite, PARSERS, type SiteRequest } from '../testing/price-sites.ts';
import { SandboxClient } from '../testing/sandbox-client.ts';
import { marketAt } from './market.ts';
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
const price = (name: SiteName, currency?: 'USD' | 'EUR', amount?: string) =>
  fetchPrice(client.sandbox.url, name, currency, amount);

async function now(): Promise<number> {
  return (await client.control<{ now: number }>('GET', '/clock')).now * 1000;
}

const COMPETITORS = ['westernUnion', 'moneyGram', 'ria', 'remitly', 'wise'] as const;

describe('simulated competitors', () => {
  test.each(COMPETITORS.flatMap((name) => (['USD', 'EUR'] as const).map((currency) => [name, currency] as const)))(
    'the competitor %s pays slightly less than the market rate in %s',
    async (name, currency) => {
      const { usdBob, eurBob } = marketAt(await now());
      const { rate, fee, received } = await price(name, currency, '500.00');
      const market = Number(currency === 'USD' ? usdBob : eurBob) / 1e6;
      expect(rate / market).toBeGreaterThan(0.94);
      expect(rate / market).toBeLessThan(0.998);
      const sent = name === 'wise' ? 500 - (fee ?? 0) : 500;
      expect(received).toBeCloseTo(Math.floor(sent * rate * 100 + 1e-6) / 100, 2);
    },
  );

  test.each(COMPETITORS)('the competitor %s has a fee that depends on the amount', async (name) => {
    const [small, large] = [await price(name, 'USD', '50.00'), await price(name, 'USD', '2500.00')];
    expect(small.fee).not.toBe(large.fee);
    expect(small.rate).toBe(large.rate);
  });
});

describe('simulated reference rates', () => {
  test('the simulated reference rates of all sources agree at one moment', async () => {
    const market = marketAt(await now());
    const official = Number(market.officialBuy) / 1e6;
    for (const name of ['bcb', 'bcbList', 'dolarApi'] as const)
      expect((await price(name)).rate).toBeCloseTo(official, 5);
    for (const name of ['criptoYa', 'binanceP2p'] as const) {
      expect((await price(name)).rate / (Number(market.parallelAsk) / 1e6)).toBeCloseTo(1, 2);
    }
    expect((await price('ecb')).rate).toBeCloseTo(Number(market.euroFixing) / 1e6, 4);
  });

  test('the central bank shows its rate on the front page and past days by date', async () => {
    const home = await (await call({ path: '/bcb/' })).text();
    const card = /<article class="bcb-kpi2-card is-tc-oficial[\s\S]*?<\/article>/.exec(home)?.[0] ?? '';
    const rate = comma(/class="bcb-tco-num">([\d,]+)</.exec(card)?.[1]);
    expect(rate).toBeCloseTo(Number(marketAt(await now()).officialBuy) / 1e6, 5);
    const past = await (await call({ path: '/bcb/bcb_tco_publico_detalle_historico.php?fecha=2026-09-10' })).text();
    expect(past).toContain('Fecha de corte: 10 de septiembre de 2026');
    expect(PARSERS.bcb(past).rate).toBeCloseTo(Number(marketAt(Date.parse('2026-09-11T16:00Z')).officialBuy) / 1e6, 5);
  });

  test('DolarApi serves single boards and CriptoYa single exchanges', async () => {
    const one = await call({ path: '/dolarApi/v1/dolares/binance' });
    expect(await one.json()).toMatchObject({ casa: 'binance', compra: expect.any(Number) });
    const single = await call({ path: '/criptoYa/api/binancep2p/usdt/bob/500' });
    expect(await single.json()).toMatchObject({ totalAsk: expect.any(Number) });
  });
});

describe('simulated market over time', () => {
  test.each(siteNames)('the simulated rate of %s changes slowly with the clock', async (name) => {
    const rates = [(await price(name)).rate];
    for (let step = 1; step <= 6; step += 1) {
      await client.control('POST', '/clock/advance', { seconds: 2 * 86_400 });
      rates.push((await price(name)).rate);
      expect(Math.abs((rates[step] ?? 0) / (rates[step - 1] ?? 0) - 1)).toBeLessThan(0.05);
    }
    expect(new Set(rates).size).toBeGreaterThan(1);
  });

  test('simulated market rates stay near their middle for a year without jumps', () => {
    const start = Date.parse('2026-11-21T12:00Z');
    let last = marketAt(start);
    for (let hours = 2; hours <= 366 * 24; hours += 2) {
      const next = marketAt(start + hours * 3_600_000);
      expect(Math.abs(Number(next.usdBob) / 11_600_000 - 1)).toBeLessThan(0.035);
      expect(Math.abs(Number(next.eurUsd) / 1_160_000 - 1)).toBeLessThan(0.02);
      expect(Math.abs(Number(next.usdBob) / Number(last.usdBob) - 1)).toBeLessThan(0.008);
      last = next;
    }
  });
});
