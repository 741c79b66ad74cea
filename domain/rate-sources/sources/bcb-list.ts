import { load } from 'cheerio';
import { z } from 'zod';
import { bolivianosRate, commaNumber, type Source } from '../source.ts';

/** Rows by the code in its column; the first number of a row is bolivianos per unit. */
const schema = z
  .string()
  .transform((html) => {
    const document = load(html);
    const rows = document('table.tabla-cotizacion tr:has(td.centro)').toArray();
    return Object.fromEntries(
      rows.map((row) => [
        document(row).find('td.centro').text().trim(),
        document(row).find('td.numero').first().text().trim(),
      ]),
    );
  })
  .pipe(z.object({ 'USD.COMPRA': commaNumber, EUR: commaNumber }));

/**
 * The central bank's list of all currencies. For the dollar the buying rate counts, as in its table of banks; the euro
 * has only one rate, the dollar's buying rate converted by the day's EUR/USD rate.
 */
export const bcbList: Source<z.infer<typeof schema>> = {
  name: 'bcbList',
  origin: 'https://www.bcb.gob.bo',
  minIntervalMs: 2000,
  answers: 'html',
  requestMode: 'once',
  schema,
  request: () => ({ path: '/librerias/indicadores/otras/ultimo.php' }),
  toObservations: (list) => [
    {
      kind: 'reference',
      source: 'bcbList',
      pair: 'USD/BOB',
      rate: bolivianosRate(list['USD.COMPRA'], 'USD.COMPRA'),
    },
    { kind: 'reference', source: 'bcbList', pair: 'EUR/BOB', rate: bolivianosRate(list.EUR, 'EUR') },
  ],
};
