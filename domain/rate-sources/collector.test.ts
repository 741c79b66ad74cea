import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { formatRate, type Rate } from '#core/rates/rate';
import type { Observation, RateSource, SourceFailure } from '#core/rates/sources';
import { chain, share } from '../../sandbox/prices/figures.ts';
import { marketAt } from '../../sandbox/prices/market.ts';
import { type PricedSite, priceOf } from '../../sandbox/prices/pricing.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { controlSandbox } from '../../sandbox/testing/control-client.ts';
import { Collector } from './collector.ts';
import type { Source } from './source.ts';
import { sources } from './sources/index.ts';

/**
 * The simulated market does not move from the full hour until ten past; the sandbox's clock is set to whole seconds.
 */
const beginning = new Date('2026-11-20T14:01:00Z');
const market = marketAt(beginning.getTime());

let sandbox: Sandbox;
let control: ReturnType<typeof controlSandbox>;
beforeAll(async () => {
  sandbox = await startSandbox({ beginAt: beginning });
  control = controlSandbox(sandbox.url);
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  await control.clearFaults();
});

/** The sandbox calls Wise's comparison by its site. */
const siteOf = (name: RateSource) => (name === 'wiseComparison' ? 'wise' : name);
const publicUrl = 'https://chasqui.example';
const collectorOf = (options: Partial<ConstructorParameters<typeof Collector>[0]> = {}) =>
  new Collector({ sourcesUrl: `${sandbox.url}/prices`, publicUrl, pause: async () => {}, ...options });
const collect = (source: Source, collector = collectorOf()) => collector.collect(source, null);
const each = sources.map((source) => [source.name, source] as const);
const sourceNamed = (wanted: RateSource) => sources.find(({ name }) => name === wanted) as Source;

interface Expected {
  /** Its observations, computed from the simulated market; absent if they are medians of many offers. */
  observations?: () => string[];
  /** The first missing field when the site changes its answer. */
  changed: string;
  /** The first field with an implausible value. */
  absurd: string;
}

const price = { moneyGram: 'feeQuotesByCurrency.BOB.fxRate', remitly: 'estimate.exchange_rate.base_rate' } as const;
const calculated = 'model.transferDetails.calculations.exchangeRate';
const group = 'services_groups.0.pay_groups';
const cube = 'Cube[currency=USD].rate';
const official = rateText(market.officialBuy);
const officialEuro = rateText(share(chain(market.officialBuy, market.euroFixing), 10_000, 5));

const expected: Readonly<Record<RateSource, Expected>> = {
  // Paid by card, as with us, which costs 2.00 more there.
  westernUnion: {
    observations: () => pricesOf('westernUnion', 200n),
    changed: `${group}.0.fx_rate`,
    absurd: `${group}.2.fx_rate`,
  },
  moneyGram: { observations: () => pricesOf('moneyGram'), changed: price.moneyGram, absurd: price.moneyGram },
  ria: { observations: () => pricesOf('ria'), changed: calculated, absurd: calculated },
  remitly: {
    observations: () => pricesOf('remitly').filter((line) => line.includes(' 10000 ')),
    changed: price.remitly,
    absurd: price.remitly,
  },
  wiseComparison: { changed: 'providers.0.quotes.0.rate', absurd: 'providers.0.quotes.0.rate' },
  bcb: { observations: () => [`USD/BOB ${official}`], changed: 'Fecha de corte', absurd: 'TCO.0' },
  bcbList: {
    observations: () => [`USD/BOB ${official}`, `EUR/BOB ${officialEuro}`],
    changed: 'USD.COMPRA',
    absurd: 'USD.COMPRA',
  },
  dolarApi: { observations: () => [`USD/BOB ${official}`], changed: '0.compra', absurd: '0.compra' },
  criptoYa: { changed: 'binancep2p.totalAsk', absurd: 'binancep2p.totalAsk' },
  binanceP2p: { changed: 'data.0.adv.price', absurd: 'data.0.adv.price' },
  ecb: { observations: () => [`EUR/USD ${rateText(market.euroFixing)}`], changed: cube, absurd: cube },
};

function rateText(rate: bigint): string {
  return formatRate(rate as Rate);
}

function pricesOf(site: PricedSite, moreMinor = 0n): string[] {
  return (['USD', 'EUR'] as const).flatMap((currency) =>
    [10_000n, 50_000n].map((amount) => {
      const { rate, feeMinor } = priceOf(site, market, currency, amount);
      return `${site} ${currency} ${amount} ${rateText(rate)} ${feeMinor + moreMinor}`;
    }),
  );
}

function line(observation: Observation): string {
  if (observation.kind === 'bank') return `${observation.bank} ${rateText(observation.rate)}`;
  if (observation.kind === 'reference') return `${observation.pair} ${formatRate(observation.rate)}`;
  const { competitor, currency, amountMinor, rate, feeMinor } = observation;
  return `${competitor} ${currency} ${amountMinor} ${formatRate(rate)} ${feeMinor}`;
}

/** The market value that a figure must be close to. */
function marketOf(observation: Observation): number {
  if (observation.kind === 'bank') return Number(market.officialBuy);
  const pair = observation.kind === 'price' ? `${observation.currency}/BOB` : observation.pair;
  return Number({ 'USD/BOB': market.usdBob, 'EUR/BOB': market.eurBob, 'EUR/USD': market.eurUsd }[pair]);
}

describe.each(each)('%s', (name, source) => {
  const { observations, changed, absurd } = expected[name];
  const failureOf = async (collector?: Collector) => {
    const { collected, result } = await collect(source, collector);
    expect(result).toMatchObject({ source: name, observations: collected.length });
    expect(collected).toEqual([]);
    return result.failure;
  };
  const fault = (kind: string, status?: number) =>
    control.fault({ kind, path: `^/prices/${siteOf(name)}/`, ...(status ? { status } : {}) });

  afterEach(() => control.priceMode(siteOf(name), 'normal'));

  test('the collected rates are those of the simulated market', async () => {
    const { collected, result } = await collect(source);
    expect(result.failure).toBeNull();
    const figures = collected.map(({ observation }) => observation);
    const lines = figures.filter(({ kind }) => kind !== 'bank').map(line);
    expect(lines).toEqual(observations?.() ?? lines);
    expect(lines.length).toBeGreaterThan(0);
    for (const figure of figures) expect(Math.abs(Number(figure.rate) / marketOf(figure) - 1)).toBeLessThan(0.06);
    for (const { rawHash } of collected) expect(rawHash).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([
    ['403', ['error', 403], { code: 'forbidden' }],
    ['429', ['error', 429], { code: 'too_many_requests', retryAfterSeconds: null }],
    ['500', ['error', 500], { code: 'bad_status', status: 500 }],
    ['a dropped connection', ['drop'], { code: 'unreachable' }],
  ] as const)(
    '%s is reported as a failure of its kind, and the next run succeeds',
    async (_, [kind, status], failure) => {
      await fault(kind, status);
      expect(await failureOf()).toEqual(failure);
      expect((await collect(source)).result.failure).toBeNull();
    },
  );

  test('a source that does not answer times out', async () => {
    await fault('timeout');
    expect(await failureOf(collectorOf({ timeoutMs: 100 }))).toEqual({ code: 'timeout' });
  });

  test('a changed answer is reported with the missing field', async () => {
    await control.priceMode(siteOf(name), 'changed_shape');
    expect(await failureOf()).toEqual({ code: 'changed_shape', field: changed });
  });

  test('an absurd value is reported with its field', async () => {
    await control.priceMode(siteOf(name), 'absurd_value');
    expect(await failureOf()).toEqual({ code: 'absurd_value', field: absurd });
  });

  test('requests to the source are made one at a time with its interval between two, also across runs', async () => {
    let now = beginning.getTime();
    const pauses: number[] = [];
    const collector = collectorOf({
      now: () => new Date(now),
      pause: async (ms) => {
        pauses.push(ms);
        now += ms;
      },
    });
    await collect(source, collector);
    const queries = source.requestMode === 'once' ? 1 : source.oneAmountOnly ? 2 : 4;
    const requests = queries + (source.authenticate ? 1 : 0);
    expect(pauses).toEqual(Array.from({ length: requests - 1 }, () => source.minIntervalMs));
    await collect(source, collector);
    expect(pauses).toEqual(Array.from({ length: 2 * requests - 1 }, () => source.minIntervalMs));
  });
});

describe('the collector', () => {
  /** A site that records its requests and answers each in the same way. */
  async function site(answer: (response: ServerResponse) => void) {
    const requests: IncomingMessage[] = [];
    const server = createServer((request, response) => {
      requests.push(request);
      answer(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }
  const refusing = (retryAfter: string) =>
    site((response) => void response.writeHead(429, { 'retry-after': retryAfter }).end());

  test('the collector identifies itself honestly to every source', async () => {
    const { requests, url } = await refusing('120');
    for (const source of sources) {
      const { result } = await collect(source, collectorOf({ sourcesUrl: url }));
      expect(result.failure).toEqual({ code: 'too_many_requests', retryAfterSeconds: 120 } satisfies SourceFailure);
    }
    expect(requests).toHaveLength(sources.length);
    for (const { headers } of requests) {
      expect(headers['user-agent']).toBe('Chasqui/0.1 (comparador de tasas; +https://chasqui.example)');
      for (const pretended of ['origin', 'referer', 'cookie', 'sec-ch-ua'])
        expect(headers).not.toHaveProperty(pretended);
    }
  });

  test.each([
    ['Fri, 20 Nov 2026 14:02:30 GMT', 90],
    ['Fri, 20 Nov 2026 13:00:00 GMT', 0],
    ['soon', null],
  ])('the collector understands Retry-After: %s', async (retryAfter, retryAfterSeconds) => {
    const { url } = await refusing(retryAfter);
    const collector = collectorOf({ sourcesUrl: url, now: () => beginning });
    const { result } = await collect(sources[0] as Source, collector);
    expect(result.failure).toEqual({ code: 'too_many_requests', retryAfterSeconds });
  });

  test('the collector follows no redirect and reports its status', async () => {
    const { requests, url } = await site((response) => void response.writeHead(302, { location: '/elsewhere' }).end());
    const { result } = await collect(sourceNamed('dolarApi'), collectorOf({ sourcesUrl: url }));
    expect(result.failure).toEqual({ code: 'bad_status', status: 302 });
    expect(requests).toHaveLength(1);
  });

  test('the collector stops reading an answer that is too large', async () => {
    const { url } = await site((response) => {
      const more = () => {
        while (response.write(' '.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    });
    const { result } = await collect(sourceNamed('dolarApi'), collectorOf({ sourcesUrl: url }));
    expect(result.failure).toEqual({ code: 'too_large' });
  });

  test('the collector reports our own error in reading an answer as a failure of that source', async () => {
    const broken: Source = {
      ...sourceNamed('dolarApi'),
      toObservations: () => {
        throw new TypeError('cannot read properties of undefined');
      },
    };
    const { result, error } = await collect(broken);
    expect(result).toMatchObject({ source: 'dolarApi', observations: 0, failure: { code: 'unexpected_error' } });
    expect(error).toBeInstanceOf(TypeError);
  });
});

test('the BCB table gives the rate of each bank for the day before', async () => {
  const { collected } = await collect(sourceNamed('bcb'));
  const banks = collected.flatMap(({ observation }) => (observation.kind === 'bank' ? [observation] : []));
  expect(banks.map(({ bank }) => bank)).toEqual([
    'BANCO UNIÓN',
    'BANCO MERCANTIL SANTA CRUZ',
    'BANCO NACIONAL DE BOLIVIA',
    'BANCO BISA',
    'BANCO GANADERO',
  ]);
  expect(new Set(banks.map(({ day }) => day))).toEqual(new Set(['2026-11-19']));
});
