/** Public dollar rates in Bolivia: DolarApi, CriptoYa and the offers of Binance P2P. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Rate, share } from './figures.ts';
import { dayOf, type Market } from './market.ts';
import { figure, refusal, type Site, type SiteRequest } from './site.ts';

interface Board {
  casa: string;
  nombre: string;
  compra: Rate;
  venta: Rate;
  since: number;
}

function boards(market: Market): Board[] {
  const { officialBuy, parallelAsk, parallelBid, at } = market;
  return [
    // The real board shows the buying rate as the selling rate too.
    { casa: 'oficial', nombre: 'Oficial', compra: officialBuy, venta: officialBuy, since: dayOf(at) },
    {
      casa: 'binance',
      nombre: 'Binance',
      compra: share(parallelBid, 10_000, 2),
      venta: share(parallelAsk, 10_000, 2),
      since: at,
    },
  ];
}

function boardView({ casa, nombre, compra, venta, since }: Board): object {
  const fechaActualizacion = new Date(since).toISOString();
  return { moneda: 'USD', casa, nombre, compra: figure(compra), venta: figure(venta), fechaActualizacion };
}

function one(casa: string) {
  return ({ market }: SiteRequest) => {
    const board = boards(market).find((candidate) => candidate.casa === casa);
    return board ? { status: 200, body: boardView(board) } : refusal(404, { error: 'Not found' });
  };
}

export const dolarApi: Site = {
  routes: [
    {
      method: 'GET',
      path: /^\/v1\/dolares$/,
      respond: ({ market }) => ({ status: 200, body: boards(market).map(boardView) }),
    },
    { method: 'GET', path: /^\/v1\/dolares\/oficial$/, respond: one('oficial') },
    { method: 'GET', path: /^\/v1\/dolares\/binance$/, respond: one('binance') },
    {
      method: 'GET',
      path: /^\/v1\/estado$/,
      respond: () => ({ status: 200, body: { estado: 'Disponible', aleatorio: 50 } }),
    },
  ],
  changedShape: [/"(compra|venta)"/g, '"precio_$1"'],
};

/** Exchanges and their distance from the mid-market rate, in basis points. */
const EXCHANGES = { binancep2p: 0, bybitp2p: 14, bitgetp2p: -9, okexp2p: 22, eldoradop2p: -31, saldo: 58 };

function exchangeView({ parallelAsk, parallelBid, at }: Market, drift: number): object {
  const ask = figure(share(parallelAsk, 10_000 + drift, 3));
  const bid = figure(share(parallelBid, 10_000 + drift, 3));
  return { ask, totalAsk: ask, bid, totalBid: bid, time: Math.floor(at / 1000) };
}

export const criptoYa: Site = {
  routes: [
    {
      method: 'GET',
      path: /^\/api\/usdt\/bob\/[\d.]+$/,
      respond: ({ market }) => ({
        status: 200,
        body: Object.fromEntries(
          Object.entries(EXCHANGES).map(([exchange, drift]) => [exchange, exchangeView(market, drift)]),
        ),
      }),
    },
    {
      method: 'GET',
      path: /^\/api\/binancep2p\/usdt\/bob\/[\d.]+$/,
      respond: ({ market }) => ({ status: 200, body: exchangeView(market, EXCHANGES.binancep2p) }),
    },
  ],
  changedShape: [/"(ask|bid|totalAsk|totalBid)"/g, '"$1Price"'],
};

const search = z.object({
  asset: z.literal('USDT'),
  fiat: z.literal('BOB'),
  tradeType: z.enum(['BUY', 'SELL']),
  page: z.int().min(1).default(1),
  rows: z.int().min(1).max(20).default(10),
  payTypes: z.array(z.string()).default([]),
});
const OFFERS = 60;
/** Every nineteenth offer has an absurd price, as in the real market; a mean over all offers would be wrong. */
const NONSENSE_EVERY = 19;

function price(market: Market, tradeType: 'BUY' | 'SELL', index: number): string {
  if (index % NONSENSE_EVERY === NONSENSE_EVERY - 2) return tradeType === 'BUY' ? '34.50' : '6.50';
  const worse = Math.floor(index / 4);
  const rate =
    tradeType === 'BUY' ? share(market.parallelAsk, 10_000 + worse, 2) : share(market.parallelBid, 10_000 - worse, 2);
  return figure(rate).toFixed(2);
}

function offer(market: Market, tradeType: 'BUY' | 'SELL', index: number): object {
  const advNo = String(12_500_000_000 + index);
  return {
    adv: {
      ...{ advNo, classify: 'profession', tradeType: tradeType === 'BUY' ? 'SELL' : 'BUY', asset: 'USDT' },
      ...{ fiatUnit: 'BOB', price: price(market, tradeType, index), surplusAmount: String(400 + index * 37) },
      ...{ minSingleTransAmount: '100.00', maxSingleTransAmount: '20000.00', tradeMethods: [{ identifier: 'BANK' }] },
    },
    advertiser: {
      userNo: `s${createHash('sha256').update(advNo).digest('hex').slice(0, 31)}`,
      nickName: `vendedor_${index + 1}`,
    },
  };
}

function offers({ body, market }: SiteRequest) {
  const read = search.safeParse(body);
  if (!read.success) {
    const failed = { code: '000002', message: 'illegal parameter', messageDetail: null, data: null, success: false };
    return { status: 200, body: failed };
  }
  const { tradeType, page, rows } = read.data;
  const first = (page - 1) * rows;
  const count = Math.max(0, Math.min(rows, OFFERS - first));
  const data = Array.from({ length: count }, (_, index) => offer(market, tradeType, first + index));
  return {
    status: 200,
    body: { code: '000000', message: null, messageDetail: null, data, total: OFFERS, success: true },
  };
}

export const binanceP2p: Site = {
  routes: [{ method: 'POST', path: /^\/bapi\/c2c\/v2\/friendly\/c2c\/adv\/search$/, respond: offers }],
  changedShape: [/"price"/g, '"unitPrice"'],
};
