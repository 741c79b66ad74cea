import { load } from 'cheerio';
import { z } from 'zod';
import { eurUsdRate, type Source } from '../source.ts';

const field = 'Cube[currency=USD].rate';
const schema = z
  .string()
  .transform((text) => ({ [field]: load(text, { xml: true })('Cube[currency="USD"]').attr('rate') }))
  .pipe(z.object({ [field]: z.string() }));

/** The European Central Bank's daily reference rates; one line of its XML is ours. */
export const ecb: Source<z.infer<typeof schema>> = {
  name: 'ecb',
  origin: 'https://www.ecb.europa.eu',
  gapMs: 1000,
  answers: 'xml',
  asked: 'once',
  schema,
  request: () => ({ path: '/stats/eurofxref/eurofxref-daily.xml' }),
  toObservations: ({ [field]: rate }) => [
    { kind: 'reference', source: 'ecb', pair: 'EUR/USD', rate: eurUsdRate(rate, field) },
  ],
};
