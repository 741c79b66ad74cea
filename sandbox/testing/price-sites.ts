/** Clients of the price sites: the request of each and the parser of its response. */
import { expect } from 'vitest';
import { z } from 'zod';
import type { SiteName } from '../prices/modes.ts';

type Currency = 'USD' | 'EUR';
export interface SiteRequest {
  path: string;
  headers?: Record<string, string>;
  /** Sent by POST as JSON. */
  body?: object;
  signal?: AbortSignal;
}

/** Sends a request to a simulated price site at `url`. */
export function fetchSite(url: string, { path, headers, body, signal }: SiteRequest): Promise<Response> {
  return fetch(`${url}/prices${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
}

const COUNTRY = { USD: ['US', 'USA'], EUR: ['ES', 'ESP'] } as const;

async function riaToken(url: string): Promise<string> {
  const session = z.object({ authToken: z.object({ tokenType: z.literal('Bearer'), jwtToken: z.string() }) });
  const { authToken } = session.parse(await (await fetchSite(url, { path: '/ria/Authorization/session' })).json());
  return `${authToken.tokenType} ${authToken.jwtToken}`;
}

/** The usual request to each site, in the form the real one takes. */
const REQUESTS: Record<
  SiteName,
  (currency: Currency, amount: string, url: string) => SiteRequest | Promise<SiteRequest>
> = {
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
  ria: async (currency, amount, url) => ({
    path: '/ria/MoneyTransferCalculator/Calculate',
    headers: {
      ...{ authorization: await riaToken(url), appversion: '4.0' },
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

export interface ParsedPrice {
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

export function comma(text: string | undefined): number {
  return positive.parse(Number((text ?? '').replaceAll('.', '').replace(',', '.')));
}

/** Parses each site's response; throws when its shape is another. */
export const PARSERS: Record<SiteName, (text: string) => ParsedPrice> = {
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

/** The usual request to a simulated site at `url`; Ria's gets a token first. */
export async function siteRequest(
  url: string,
  name: SiteName,
  currency: Currency = 'USD',
  amount = '100.00',
): Promise<SiteRequest> {
  return REQUESTS[name](currency, amount, url);
}

/** Requests a site's price and parses its response. */
export async function fetchPrice(
  url: string,
  name: SiteName,
  currency: Currency = 'USD',
  amount = '100.00',
): Promise<ParsedPrice> {
  const response = await fetchSite(url, await siteRequest(url, name, currency, amount));
  expect(response.status).toBe(200);
  return PARSERS[name](await response.text());
}
