import { load } from 'cheerio';
import { z } from 'zod';
import type { Observation } from '#core/rates/sources';
import { bolivianosRate, commaNumber, type Source } from '../source.ts';

const months = [
  ...['enero', 'febrero', 'marzo', 'abril', 'mayo', 'junio'],
  ...['julio', 'agosto', 'septiembre', 'octubre', 'noviembre', 'diciembre'],
];

/** "20 de noviembre de 2026" as "2026-11-20". */
const spanishDay = z
  .string()
  .regex(/^\d{1,2} de \p{L}+ de \d{4}$/u)
  .transform((text) => {
    const [day = '', month = '', year = ''] = text.toLowerCase().split(' de ');
    return `${year}-${String(months.indexOf(month) + 1).padStart(2, '0')}-${day.padStart(2, '0')}`;
  })
  .pipe(z.iso.date());

/** Field names as on the page. A bank that bought nothing has a dash. */
const page = z.object({
  'Fecha de corte': spanishDay,
  bancos: z.array(z.string().min(1)).min(2),
  TCO: z.array(z.union([commaNumber, z.literal('-')])).min(2),
});

const schema = z
  .string()
  .transform((html) => {
    const document = load(html);
    const texts = (selector: string) =>
      document(selector)
        .map((_, found) => document(found).text().trim())
        .toArray();
    return {
      'Fecha de corte': /Fecha de corte:\s*(\d+ de \p{L}+ de \d+)/u.exec(document('.vrd-date-info').text())?.[1],
      bancos: texts('table.matrix thead tr:first-child th[colspan]'),
      TCO: texts('table.matrix tbody th:contains("TCO") ~ td'),
    };
  })
  .pipe(page)
  .refine(({ bancos, TCO }) => bancos.length === TCO.length && TCO.at(-1) !== '-', { path: ['TCO'] });

/**
 * The central bank's table of the banks' buying rates for the dollar, one column each, with the total in the last. The
 * page's last row is already weighted by amount.
 * The total is the official rate (tipo de cambio oficial), a buying rate: the price at which incoming dollars are
 * actually exchanged, as ours are. The selling rate, ten centavos above, is the price of buying dollars. The banks'
 * figures are of the day of purchase (fecha de corte); the total is in force the day after (vigencia).
 */
export const bcb: Source<z.infer<typeof schema>> = {
  name: 'bcb',
  origin: 'https://www.bcb.gob.bo',
  minIntervalMs: 2000,
  answers: 'html',
  requestMode: 'once',
  schema,
  request: () => ({ path: '/bcb_tco_publico_detalle_historico.php' }),
  toObservations({ 'Fecha de corte': day, bancos, TCO }) {
    return bancos.flatMap((bank, index): Observation[] => {
      const text = TCO[index] as string;
      if (text === '-') return [];
      const rate = bolivianosRate(text, `TCO.${index}`);
      return index === bancos.length - 1
        ? [{ kind: 'reference', source: 'bcb', pair: 'USD/BOB', rate }]
        : [{ kind: 'bank', source: 'bcb', day, bank, rate }];
    });
  },
};
