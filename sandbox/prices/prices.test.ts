import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { Shop } from '../testing/shop.ts';
import { marketAt } from './market.ts';
import { type SiteName, siteNames } from './modes.ts';

// Generous: a busy machine is slow, and nothing here waits for time to pass but what says so.
vi.setConfig({ testTimeout: 20_000, hookTimeout: 30_000 });

let shop: Shop;
beforeAll(async () => {
  shop = await Shop.open();
});
afterAll(() => shop.close());
beforeEach(() => shop.control('POST', '/reset'));

type Currency = 'USD' | 'EUR';
interface Call {
  path: string;
  headers?: Record<string, string>;
  /** Sent by POST as JSON. */
  body?: object;
  signal?: AbortSignal;
}

function call({ path, headers, body, signal }: Call): Promise<Response> {
  return fetch(`${shop.sandbox.url}/prices${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
}

const COUNTRY = { USD: ['US', 'USA'], EUR: ['ES', 'ESP'] } as const;

async function riaToken(): Promise<string> {
  const session = z.object({ authToken: z.object({ tokenType: z.literal('Bearer'), jwtToken: z.string() }) });
  const { authToken } = session.parse(await (await call({ path: '/ria/Authorization/session' })).json());
  return `${authToken.tokenType} ${authToken.jwtToken}`;
}

/** The usual question to each site, as programs that know the real one ask it. */
const ASK: Record<SiteName, (currency: Currency, amount: string) => Call | Promise<Call>> = {
  westernUnion: (currency, amount) => ({
    path: '/westernUnion/wuconnect/prices/catalog',
    body: {
      header_request: { version: '0.5', request_type: 'PRICECATALOG' },
      sender: {
        ...{ client: 'WUCOM', channel: 'WWEB', funds_in: '*', curr_iso3: currency },
        ...{ cty_iso2_ext: COUNTRY[currency][0], send_amount: amount },
      },
      receiver: { curr_iso3: 'BOB', cty_iso2_ext: 'BO', cty_iso2: 'BO' },
    },
  }),
  moneyGram: (currency, amount) => ({
    path: `/moneyGram/api/send-money/fee-quote/v2?senderCountryCode=${COUNTRY[currency][1]}&senderCurrencyCode=${currency}&receiverCountryCode=BOL&receiverCurrencyCode=BOB&sendAmount=${amount}`,
    headers: { 'accept-language': 'en-US', 'locale-header': 'en-us' },
  }),
  ria: async (currency, amount) => ({
    path: '/ria/MoneyTransferCalculator/Calculate',
    headers: {
      ...{ authorization: await riaToken(), appversion: '4.0' },
      ...{ 'client-type': 'PublicSite', culturecode: 'es-ES', isocode: COUNTRY[currency][0] },
    },
    body: {
      selections: {
        ...{ countryFrom: COUNTRY[currency][0], countryTo: 'BO', currencyFrom: currency, currencyTo: 'BOB' },
        ...{ amountFrom: Number(amount), amountTo: null, paymentMethod: 'DebitCard', deliveryMethod: 'BankDeposit' },
        ...{ shouldCalcAmountFrom: false, shouldCalcVariableRates: true, promoId: 0 },
      },
    },
  }),
  remitly: (currency, amount) => ({
    path: `/remitly/v3/calculator/estimate?conduit=${COUNTRY[currency][1]}:${currency}-BOL:BOB&anchor=SEND&amount=${amount}&purpose=OTHER&customer_segment=UNRECOGNIZED&strict_promo=false`,
  }),
  wise: (currency, amount) => ({
    path: `/wise/v4/comparisons/?sourceCurrency=${currency}&targetCurrency=BOB&sendAmount=${amount}`,
  }),
  bcb: () => ({ path: '/bcb/bcb_tco_publico_detalle_historico.php' }),
  bcbList: () => ({ path: '/bcbList/librerias/indicadores/otras/ultimo.php' }),
  dolarApi: () => ({ path: '/dolarApi/v1/dolares' }),
  criptoYa: () => ({ path: '/criptoYa/api/usdt/bob/1' }),
  binanceP2p: () => ({
    path: '/binanceP2p/bapi/c2c/v2/friendly/c2c/adv/search',
    body: { asset: 'USDT', fiat: 'BOB', tradeType: 'BUY', page: 1, rows: 20, payTypes: [] },
  }),
  ecb: () => ({ path: '/ecb/stats/eurofxref/eurofxref-daily.xml' }),
};

interface Read {
  rate: number;
  fee?: number;
  received?: number;
}
const positive = z.number().positive();
const decimal = z
  .string()
  .regex(/^\d+\.\d{2,6}$/)
  .transform(Number);

function cells(html: string, table: string): string[][] {
  const found = new RegExp(`<table class="${table}">([\\s\\S]*?)</table>`).exec(html)?.[1] ?? '';
  return found
    .split('<tr>')
    .map((row) => [...row.matchAll(/<t[hd][^>]*>([^<]*)<\/t[hd]>/g)].map(([, text]) => text ?? ''));
}

function comma(text: string | undefined): number {
  return positive.parse(Number((text ?? '').replaceAll('.', '').replace(',', '.')));
}

/** Reads each site's answer in its own shape; throws when it has another. */
const READ: Record<SiteName, (text: string) => Read> = {
  westernUnion(text) {
    const group = z.object({ fund_in: z.string(), fx_rate: positive, gross_fee: positive, receive_amount: positive });
    const shape = z.object({
      response_status: z.object({ status: z.literal(0) }),
      sender: z.object({ curr_iso3: z.string(), send_amount: decimal }),
      services_groups: z.array(z.object({ fund_out_mnem: z.string(), pay_groups: z.array(group) })),
    });
    const toBank = shape.parse(JSON.parse(text)).services_groups.find(({ fund_out_mnem }) => fund_out_mnem === 'DB');
    const byTransfer = group.parse(toBank?.pay_groups.find(({ fund_in }) => fund_in === 'EB'));
    return { rate: byTransfer.fx_rate, fee: byTransfer.gross_fee, received: byTransfer.receive_amount };
  },
  moneyGram(text) {
    const price = z.object({
      fxRate: positive,
      sendFee: z.number(),
      totalSendAmount: positive,
      totalReceiveAmount: positive,
    });
    const shape = z.object({
      feeQuotesByCurrency: z.object({ BOB: price.extend({ sendAmount: positive, promo: price }) }),
    });
    const { BOB } = shape.parse(JSON.parse(text)).feeQuotesByCurrency;
    expect(BOB.promo.fxRate).toBeGreaterThan(BOB.fxRate);
    expect(BOB.totalSendAmount).toBeCloseTo(BOB.sendAmount + BOB.sendFee, 5);
    return { rate: BOB.fxRate, fee: BOB.sendFee, received: BOB.totalReceiveAmount };
  },
  ria(text) {
    const shape = z.object({
      model: z.object({
        transferDetails: z.object({
          calculations: z.object({
            ...{ amountTo: positive, exchangeRate: positive, transferFee: positive, totalAmount: positive },
            variableRates: z.array(z.object({ payAgentName: z.string(), exchangeRate: positive })).min(1),
          }),
        }),
      }),
    });
    const { calculations } = shape.parse(JSON.parse(text)).model.transferDetails;
    return { rate: calculations.exchangeRate, fee: calculations.transferFee, received: calculations.amountTo };
  },
  remitly(text) {
    const estimate = z.object({
      exchange_rate: z.object({ base_rate: decimal, promotional_exchange_rate: decimal }),
      fee: z.object({ total_fee_amount: decimal }),
      receive_amount: decimal,
    });
    const read = z.object({ estimate }).parse(JSON.parse(text)).estimate;
    expect(read.exchange_rate.promotional_exchange_rate).toBeGreaterThan(read.exchange_rate.base_rate);
    return { rate: read.exchange_rate.base_rate, fee: read.fee.total_fee_amount, received: read.receive_amount };
  },
  wise(text) {
    const quote = z.object({
      rate: positive,
      fee: positive,
      receivedAmount: positive,
      dateCollected: z.iso.datetime(),
    });
    const shape = z.object({
      providers: z.array(z.object({ id: z.int(), alias: z.string(), quotes: z.tuple([quote]) })),
    });
    const { providers } = shape.parse(JSON.parse(text));
    expect(providers.map(({ alias }) => alias)).toEqual(['wise', 'remitly', 'ria', 'western-union', 'moneygram']);
    const { rate, fee, receivedAmount } = quote.parse(providers[0]?.quotes[0]);
    return { rate, fee, received: receivedAmount };
  },
  bcb(html) {
    expect(html).toMatch(
      /<div class="vrd-date-info">.*Fecha de corte: \d+ de \w+ de \d{4}.*Vigencia: \d+ de \w+ de \d{4}/,
    );
    const rows = cells(html, 'matrix');
    const official = rows.find(([label]) => label === 'TCO');
    const rates = rows.map(([label]) => label ?? '').filter((label) => /^\d+,\d\d$/.test(label));
    expect(rates.length).toBeGreaterThan(3);
    return { rate: comma(official?.at(-1)) };
  },
  bcbList(html) {
    const byCode = new Map(
      [...html.matchAll(/<td class="centro">([\w.]+)<\/td><td class="numero">([\d,]+)<\/td>/g)].map(
        ([, code, value]) => [code, comma(value)] as const,
      ),
    );
    expect(html).toContain('<table class="tabla-cotizacion">');
    expect(byCode.get('EUR')).toBeGreaterThan(comma('12'));
    const buys = positive.parse(byCode.get('USD.COMPRA'));
    expect(positive.parse(byCode.get('USD.VENTA'))).toBeGreaterThan(buys);
    return { rate: buys };
  },
  dolarApi(text) {
    const board = z.object({
      ...{ moneda: z.literal('USD'), casa: z.string(), nombre: z.string(), compra: positive, venta: positive },
      fechaActualizacion: z.iso.datetime(),
    });
    const boards = z.array(board).parse(JSON.parse(text));
    const official = board.parse(boards.find(({ casa }) => casa === 'oficial'));
    expect(official.venta).toBe(official.compra);
    return { rate: official.compra };
  },
  criptoYa(text) {
    const exchange = z.object({ ask: positive, totalAsk: positive, bid: positive, totalBid: positive, time: z.int() });
    const binance = z.record(z.string(), exchange).parse(JSON.parse(text)).binancep2p;
    return { rate: exchange.parse(binance).totalAsk };
  },
  binanceP2p(text) {
    const shape = z.object({
      code: z.literal('000000'),
      data: z.array(z.object({ adv: z.object({ price: decimal }) })).length(20),
    });
    const prices = shape.parse(JSON.parse(text)).data.map(({ adv }) => adv.price);
    return { rate: positive.parse(prices.sort((a, b) => a - b)[10]) };
  },
  ecb(text) {
    expect(text).toMatch(/<Cube time='\d{4}-\d\d-\d\d'>/);
    return { rate: comma(/<Cube currency='USD' rate='([\d.]+)'\/>/.exec(text)?.[1]?.replace('.', ',')) };
  },
};

async function visit(name: SiteName, currency: Currency = 'USD', amount = '100.00'): Promise<Read> {
  const response = await call(await ASK[name](currency, amount));
  expect(response.status).toBe(200);
  return READ[name](await response.text());
}

async function now(): Promise<number> {
  return (await shop.control<{ now: number }>('GET', '/clock')).now * 1000;
}

const COMPETITORS = ['westernUnion', 'moneyGram', 'ria', 'remitly', 'wise'] as const;

describe('the competitors', () => {
  test.each(COMPETITORS.flatMap((name) => (['USD', 'EUR'] as const).map((currency) => [name, currency] as const)))(
    '%s is a bit worse than the market in %s',
    async (name, currency) => {
      const { usdBob, eurBob } = marketAt(await now());
      const { rate, fee, received } = await visit(name, currency, '500.00');
      const market = Number(currency === 'USD' ? usdBob : eurBob) / 1e6;
      expect(rate / market).toBeGreaterThan(0.94);
      expect(rate / market).toBeLessThan(0.998);
      const sent = name === 'wise' ? 500 - (fee ?? 0) : 500;
      expect(received).toBeCloseTo(Math.floor(sent * rate * 100 + 1e-6) / 100, 2);
    },
  );

  test.each(COMPETITORS)('%s asks another fee for another amount', async (name) => {
    const [small, large] = [await visit(name, 'USD', '50.00'), await visit(name, 'USD', '2500.00')];
    expect(small.fee).not.toBe(large.fee);
    expect(small.rate).toBe(large.rate);
  });
});

describe('the reference rates', () => {
  test('all speak of the same day', async () => {
    const market = marketAt(await now());
    const official = Number(market.officialBuy) / 1e6;
    for (const name of ['bcb', 'bcbList', 'dolarApi'] as const)
      expect((await visit(name)).rate).toBeCloseTo(official, 5);
    for (const name of ['criptoYa', 'binanceP2p'] as const) {
      expect((await visit(name)).rate / (Number(market.parallelAsk) / 1e6)).toBeCloseTo(1, 2);
    }
    expect((await visit('ecb')).rate).toBeCloseTo(Number(market.euroFixing) / 1e6, 4);
  });

  test('the central bank has its rate on its front page, and past days by date', async () => {
    const home = await (await call({ path: '/bcb/' })).text();
    const card = /<article class="bcb-kpi2-card is-tc-oficial[\s\S]*?<\/article>/.exec(home)?.[0] ?? '';
    const rate = comma(/class="bcb-tco-num">([\d,]+)</.exec(card)?.[1]);
    expect(rate).toBeCloseTo(Number(marketAt(await now()).officialBuy) / 1e6, 5);
    const past = await (await call({ path: '/bcb/bcb_tco_publico_detalle_historico.php?fecha=2026-09-10' })).text();
    expect(past).toContain('Fecha de corte: 10 de septiembre de 2026');
    expect(READ.bcb(past).rate).toBeCloseTo(Number(marketAt(Date.parse('2026-09-11T16:00Z')).officialBuy) / 1e6, 5);
  });

  test('single boards', async () => {
    const one = await call({ path: '/dolarApi/v1/dolares/binance' });
    expect(await one.json()).toMatchObject({ casa: 'binance', compra: expect.any(Number) });
    const single = await call({ path: '/criptoYa/api/binancep2p/usdt/bob/500' });
    expect(await single.json()).toMatchObject({ totalAsk: expect.any(Number) });
  });
});

describe('time', () => {
  test.each(siteNames)('%s moves with the clock, and slowly', async (name) => {
    const rates = [(await visit(name)).rate];
    for (let step = 1; step <= 6; step += 1) {
      await shop.control('POST', '/clock/advance', { seconds: 2 * 86_400 });
      rates.push((await visit(name)).rate);
      expect(Math.abs((rates[step] ?? 0) / (rates[step - 1] ?? 0) - 1)).toBeLessThan(0.05);
    }
    expect(new Set(rates).size).toBeGreaterThan(1);
  });

  test('a year stays near the middle, without jumps', () => {
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

describe('what sites insist on', () => {
  test('MoneyGram: its headers', async () => {
    const { path } = await ASK.moneyGram('EUR', '100.00');
    expect((await call({ path, headers: { 'accept-language': 'en-US' } })).status).toBe(403);
  });

  test('Ria: a token not older than twenty minutes', async () => {
    const asked = await ASK.ria('EUR', '100.00');
    expect((await call({ ...asked, headers: {} })).status).toBe(401);
    expect((await call({ ...asked, headers: { authorization: 'Bearer a.b.c' } })).status).toBe(401);
    expect((await call(asked)).status).toBe(200);
    await shop.control('POST', '/clock/advance', { seconds: 21 * 60 });
    expect((await call(asked)).status).toBe(401);
  });

  test('Western Union: a whole order, or its own way of saying no', async () => {
    const response = await call({ path: '/westernUnion/wuconnect/prices/catalog', body: { sender: {} } });
    expect(await response.json()).toMatchObject({ response_status: { status: -1 }, services_groups: [] });
  });

  test.each([
    ['/remitly/v3/calculator/estimate?conduit=ESP:EUR-PER:PEN&amount=100', 400],
    ['/wise/v4/comparisons/?sourceCurrency=EUR&targetCurrency=BOB', 422],
    ['/dolarApi/v1/euros', 404],
    ['/nobody/at/all', 404],
  ])('%s: %i', async (path, status) => {
    expect((await call({ path })).status).toBe(status);
  });
});

describe('failures on demand', () => {
  test.each(siteNames.flatMap((name) => [403, 429].map((status) => [name, status] as const)))(
    '%s answers %i as often as asked',
    async (name, status) => {
      const asked = await ASK[name]('USD', '100.00');
      await shop.control('POST', '/faults', { path: `^/prices/${name}/`, kind: 'error', status, times: 2 });
      expect((await call(asked)).status).toBe(status);
      expect((await call(asked)).status).toBe(status);
      expect((await call(asked)).status).toBe(200);
    },
  );

  test('no answer, a cut line, a slow one; the other sites notice nothing', async () => {
    const asked = await ASK.remitly('USD', '100.00');
    const order = { path: '^/prices/remitly/' };
    await shop.control('POST', '/faults', { ...order, kind: 'timeout' });
    await expect(call({ ...asked, signal: AbortSignal.timeout(150) })).rejects.toThrow(/aborted|timeout/i);
    await shop.control('POST', '/faults', { ...order, kind: 'drop' });
    await visit('ria');
    await expect(call(asked)).rejects.toThrow();
    await shop.control('POST', '/faults', { ...order, kind: 'slow', delayMs: 300 });
    const started = performance.now();
    await visit('remitly');
    expect(performance.now() - started).toBeGreaterThan(290);
  });

  test.each(siteNames)('%s with a changed shape cannot be read, until it is normal again', async (name) => {
    await shop.control('PUT', '/prices/mode', { source: name, mode: 'changed_shape' });
    const response = await call(await ASK[name]('USD', '100.00'));
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(() => READ[name](text)).toThrow();
    await shop.control('PUT', '/prices/mode', { source: name, mode: 'normal' });
    await visit(name);
  });

  test.each(siteNames)('%s with absurd values has its shape and ten times the rate', async (name) => {
    const before = (await visit(name)).rate;
    const set = await shop.control('PUT', '/prices/mode', { source: name, mode: 'absurd_value' });
    expect(set).toMatchObject({ data: { [name]: 'absurd_value' } });
    expect((await visit(name)).rate / before).toBeCloseTo(10, 1);
    const others = siteNames.filter((other) => other !== name);
    const { priceModes } = await shop.control<{ priceModes: Record<string, string> }>('GET', '/state');
    expect(others.map((other) => priceModes[other])).toEqual(others.map(() => 'normal'));
  });

  test('a mode of a source nobody knows is refused', async () => {
    const unknown = shop.control('PUT', '/prices/mode', { source: 'xoom', mode: 'normal' });
    await expect(unknown).rejects.toThrow('400');
  });
});
