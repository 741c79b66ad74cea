import { z } from 'zod';
import { bolivianosRate, type Source, SourceError } from '../source.ts';

const schema = z.array(z.object({ moneda: z.string(), casa: z.string(), compra: z.number() }));

/** DolarApi's mirror of the central bank's official rate, the banks' buying rate for the dollar. */
export const dolarApi: Source<z.infer<typeof schema>> = {
  name: 'dolarApi',
  origin: 'https://bo.dolarapi.com',
  minIntervalMs: 1000,
  answers: 'json',
  requestMode: 'once',
  schema,
  request: () => ({ path: '/v1/dolares' }),
  toObservations(data) {
    const index = data.findIndex(({ moneda, casa }) => moneda === 'USD' && casa === 'oficial');
    const official = data[index];
    if (!official) throw new SourceError({ code: 'changed_shape', field: 'casa' });
    const rate = bolivianosRate(official.compra, `${index}.compra`);
    return [{ kind: 'reference', source: 'dolarApi', pair: 'USD/BOB', rate }];
  },
};
