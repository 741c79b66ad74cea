import { z } from 'zod';
import { eurUsdRate, type Source, SourceProblem } from './source.ts';

const schema = z.string();

/** The European Central Bank's daily reference rates; one line of its XML is ours. */
export const ecb: Source<string> = {
  name: 'ecb',
  origin: 'https://www.ecb.europa.eu',
  gapMs: 1000,
  answers: 'text',
  asked: 'once',
  schema,
  request: () => ({ path: '/stats/eurofxref/eurofxref-daily.xml' }),
  toObservations(xml) {
    const cube = /<Cube\b[^>]*\bcurrency=["']USD["'][^>]*>/.exec(xml)?.[0];
    const value = cube && /\brate=["']([^"']*)["']/.exec(cube)?.[1];
    if (value === undefined) throw new SourceProblem({ code: 'changed_shape', field: 'Cube[currency=USD].rate' });
    const rate = eurUsdRate(value, 'Cube[currency=USD].rate');
    return [{ kind: 'reference', source: 'ecb', pair: 'EUR/USD', rate }];
  },
};
