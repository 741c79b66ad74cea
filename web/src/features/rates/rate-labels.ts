import { t } from '@lingui/core/macro';
import type { RateSeriesView } from '#core/contracts/http/rate-series';
import { parseRate, type Rate } from '#core/rates/rate';
import { formatShortCalendarDay } from '../../lib/format/dates.ts';
import { formatRate, formatRateLine } from '../../lib/format/money.ts';

/**
 * The chart as one line of text: today's rate, and the highest of the days of which we know ours. Null while there is none today.
 */
export function readingOf({ currency, days, points }: RateSeriesView): string | null {
  const known = points.flatMap(({ date, ours }) =>
    ours === null ? [] : [{ date, ours, rate: parseRate(ours) as Rate }],
  );
  const [first, today] = [known[0], known.at(-1)];
  if (!first || !today || today.date !== points.at(-1)?.date) return null;
  const now = formatRateLine(today.ours, currency);
  if (known.length === 1) return t`Hoy: ${now}. Es el primer día que mostramos.`;
  const period = known.length === points.length ? wholePeriod(days) : sinceDay(first.date);
  const highest = known.reduce((best, day) => (day.rate >= best.rate ? day : best));
  if (highest.date === today.date) {
    const unmoved = known.every(({ rate }) => rate === today.rate);
    return unmoved ? t`Hoy: ${now}. No cambió ${period}.` : t`Hoy: ${now}, lo más alto ${period}.`;
  }
  const figure = formatRate(highest.ours);
  const day = formatShortCalendarDay(highest.date);
  return t`Hoy: ${now}. Lo más alto ${period} fue ${figure}, el ${day}.`;
}

const wholePeriod = (days: RateSeriesView['days']) => (days === 30 ? t`en 30 días` : t`en un año`);

function sinceDay(date: string): string {
  const day = formatShortCalendarDay(date);
  return t`desde el ${day}`;
}

const small = new Set(['de', 'del', 'la', 'las', 'los', 'y', 'e', 'para']);
/** Written in capitals by the banks themselves too. */
const initials = new Set(['bisa', 'fie', 'bdp', 'bcp', 'bnb', 'pyme', 'sa']);

/** "BANCO NACIONAL DE BOLIVIA" as a person writes it: "Banco Nacional de Bolivia". */
export function bankName(asPublished: string): string {
  return asPublished
    .trim()
    .toLocaleLowerCase('es-BO')
    .split(/\s+/)
    .map((word, index) => {
      if (initials.has(word.replaceAll('.', ''))) return word.toLocaleUpperCase('es-BO');
      if (index > 0 && small.has(word)) return word;
      return word.charAt(0).toLocaleUpperCase('es-BO') + word.slice(1);
    })
    .join(' ');
}
