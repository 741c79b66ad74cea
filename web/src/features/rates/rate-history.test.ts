import { expect, test } from 'vitest';
import type { RateSeriesView } from '#core/contracts/http/rate-series';
import { loadEnglish, showLanguage } from '../../lib/language.ts';
import { plain } from '../../testing/plain.ts';
import { readingOf } from './rate-history.tsx';

// Before the tests: on a busy machine it takes longer than one may.
const english = await loadEnglish('all');

const reading = (days: 30 | 365, ...ours: (string | null)[]) => {
  const points: RateSeriesView['points'] = ours.map((rate, index) => {
    const date = new Date(Date.UTC(2026, 10, 21 - (ours.length - 1 - index))).toISOString().slice(0, 10);
    return { date, ours: rate, reference: null, competitors: {} };
  });
  return readingOf({ history: false, currency: 'EUR', days, points });
};

test.each([
  [reading(30, '13.20', '13.50', '13.38'), 'Hoy: 1 EUR = 13,38 Bs. Lo más alto en 30 días fue 13,50 Bs, el 20 nov.'],
  [reading(365, '13.20', '9.90', '13.38'), 'Hoy: 1 EUR = 13,38 Bs, lo más alto en un año.'],
  [reading(30, '13.38', '13.20', '13.38'), 'Hoy: 1 EUR = 13,38 Bs, lo más alto en 30 días.'],
  [reading(30, '13.38', '13.380000'), 'Hoy: 1 EUR = 13,380000 Bs. No cambió en 30 días.'],
  [reading(30, null, '13.40', '13.38'), 'Hoy: 1 EUR = 13,38 Bs. Lo más alto desde el 20 nov fue 13,40 Bs, el 20 nov.'],
  [reading(30, null, null, '13.38'), 'Hoy: 1 EUR = 13,38 Bs. Es el primer día que mostramos.'],
  [reading(30, '13.38', null), null],
  [reading(30, null, null), null],
])('the summary of the rate history reads: %s', (summary, text) => expect(plain(summary)).toBe(text));

test('the summary of the rate history is in English on an English page', () => {
  showLanguage('en', english);
  expect(plain(reading(30, null, '13.40', '13.38'))).toBe(
    'Today: 1 EUR = 13.38 BOB. The highest since Nov 20 was 13.40 BOB, on Nov 20.',
  );
  expect(plain(reading(365, '13.20', '9.90', '13.38'))).toBe('Today: 1 EUR = 13.38 BOB, the highest in a year.');
  expect(plain(reading(30, '13.38', '13.38'))).toBe('Today: 1 EUR = 13.38 BOB. No change in 30 days.');
});
