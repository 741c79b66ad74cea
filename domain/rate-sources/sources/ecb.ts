import { load } from 'cheerio';
import { z } from 'zod';
import { eurUsdRate, type Source } from '../source.ts';

const dayField = 'Cube.time';
const rateField = 'Cube[currency=USD].rate';
const schema = z
  .string()
  .transform((text) => {
    const document = load(text, { xml: true });
    return {
      [dayField]: document('Cube[time]').attr('time'),
      [rateField]: document('Cube[currency="USD"]').attr('rate'),
    };
  })
  .pipe(z.object({ [dayField]: z.iso.date(), [rateField]: z.string() }));

/** The European Central Bank's daily reference rates: the dollar's line, and the day it was fixed. */
export const ecb: Source<z.infer<typeof schema>> = {
  name: 'ecb',
  origin: 'https://www.ecb.europa.eu',
  minIntervalMs: 1000,
  answers: 'xml',
  requestMode: 'once',
  schema,
  request: () => ({ path: '/stats/eurofxref/eurofxref-daily.xml' }),
  toObservations: ({ [dayField]: asOf, [rateField]: rate }) => [
    { kind: 'reference', source: 'ecb', pair: 'EUR/USD', rate: eurUsdRate(rate, rateField), asOf },
  ],
};
