import { z } from 'zod';
import { median } from '#core/rates/outliers';
import { bolivianosRate, type Source, SourceError } from '../source.ts';

const schema = z.record(z.string(), z.object({ totalAsk: z.number() }));

/** CriptoYa: the price of a digital dollar in bolivianos, as the median of the exchanges. */
export const criptoYa: Source<z.infer<typeof schema>> = {
  name: 'criptoYa',
  origin: 'https://criptoya.com',
  minIntervalMs: 1000,
  answers: 'json',
  requestMode: 'once',
  schema,
  request: () => ({ path: '/api/usdt/bob/1' }),
  toObservations(data) {
    // An exchange without offers reports zero.
    const offers = Object.entries(data).filter(([, { totalAsk }]) => totalAsk !== 0);
    const rate = median(offers.map(([name, { totalAsk }]) => bolivianosRate(totalAsk, `${name}.totalAsk`)));
    if (rate === null) throw new SourceError({ code: 'changed_shape', field: 'totalAsk' });
    return [{ kind: 'reference', source: 'criptoYa', pair: 'USD/BOB', rate }];
  },
};
