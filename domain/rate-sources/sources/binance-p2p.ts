import { z } from 'zod';
import { median } from '#core/rates/outliers';
import { bolivianosRate, type Source } from '../source.ts';

const schema = z.object({ data: z.array(z.object({ adv: z.object({ price: z.string() }) })).min(1) });

/** Binance P2P: the median of the first offers. The mean would be distorted by absurd offers, like 6.50 and 34.50. */
export const binanceP2p: Source<z.infer<typeof schema>> = {
  name: 'binanceP2p',
  origin: 'https://p2p.binance.com',
  minIntervalMs: 1000,
  answers: 'json',
  requestMode: 'once',
  schema,
  request: () => ({
    method: 'POST',
    path: '/bapi/c2c/v2/friendly/c2c/adv/search',
    body: { asset: 'USDT', fiat: 'BOB', tradeType: 'BUY', page: 1, rows: 20, payTypes: [] },
  }),
  toObservations({ data }) {
    const rate = median(data.map(({ adv }, index) => bolivianosRate(adv.price, `data.${index}.adv.price`)));
    return rate === null ? [] : [{ kind: 'reference', source: 'binanceP2p', pair: 'USD/BOB', rate }];
  },
};
