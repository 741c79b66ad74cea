import type { Source } from '../source.ts';
import { bcb } from './bcb.ts';
import { bcbList } from './bcb-list.ts';
import { binanceP2p } from './binance-p2p.ts';
import { criptoYa } from './cripto-ya.ts';
import { dolarApi } from './dolar-api.ts';
import { ecb } from './ecb.ts';
import { moneyGram } from './money-gram.ts';
import { remitly } from './remitly.ts';
import { ria } from './ria.ts';
import { westernUnion } from './western-union.ts';
import { wiseComparison } from './wise-comparison.ts';

/** Every collected source. */
export const sources = [
  westernUnion,
  moneyGram,
  ria,
  remitly,
  wiseComparison,
  bcb,
  bcbList,
  dolarApi,
  criptoYa,
  binanceP2p,
  ecb,
] as unknown as readonly Source[];
