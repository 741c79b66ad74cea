import { z } from 'zod';
import { median } from '#core/rates/outliers';
import { bolivianosRate, type Source, SourceProblem } from '../source.ts';

const schema = z.record(z.string(), z.object({ totalAsk: z.number() }));

/** CriptoYa: what a digital dollar costs in bolivianos, the median of the exchanges. */
export const criptoYa: Source<z.infer<typeof schema>> = {
  name: 'criptoYa',
  origin: 'https://criptoya.com',
  gapMs: 1000,
  answers: 'json',
  asked: 'once',
  schema,
  request: () => ({ path: '/api/usdt/bob/1' }),
  toObservations(data) {
    // An exchange without offers says zero.
    const offers = Object.entries(data).filter(([, { totalAsk }]) => totalAsk !== 0);
    const rate = median(offers.map(([name, { totalAsk }]) => bolivianosRate(totalAsk, `${name}.totalAsk`)));
    if (rate === null) throw new SourceProblem({ code: 'changed_shape', field: 'totalAsk' });
    return [{ kind: 'reference', source: 'criptoYa', pair: 'USD/BOB', rate }];
  },
};
