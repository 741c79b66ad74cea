import { describe, expect, test } from 'vitest';
import { formats, onOneLine } from './format.ts';
import { locales } from './locale.ts';

describe.each(locales)('the format of %s', (locale) => {
  const format = formats[locale];
  const [es, en] = [locale === 'es', locale === 'en'];

  test.each([
    ['1291.40', 'BOB', 'Bs 1.291,40', 'BOB 1,291.40'],
    ['1000000.05', 'USD', '$ 1.000.000,05', '$1,000,000.05'],
    ['999.99', 'EUR', '999,99 EUR', 'EUR 999.99'],
  ] as const)('an amount of %s %s is written as the language writes it', (decimal, currency, spanish, english) => {
    expect(format.money(decimal, currency)).toBe(es ? spanish : english);
  });

  test('bolivianos are written as money of theirs', () => {
    expect(format.bolivianos('1447.50')).toBe(format.money('1447.50', 'BOB'));
  });

  test('a rate names bolivianos, alone and in its line', () => {
    expect([format.rate('13.20'), format.rateLine('13.20', 'EUR')]).toEqual(
      es ? ['13,20 Bs', '1 EUR = 13,20 Bs'] : ['13.20 BOB', '1 EUR = 13.20 BOB'],
    );
  });

  test('an amount of a cryptocurrency names it', () => {
    expect(format.crypto('1098.52', 'usdc')).toBe(es ? '1.098,52 USDC' : '1,098.52 USDC');
  });

  test.each([
    ['3.50', 'plain', '3,50 %', '3.50%'],
    ['3.4', 'signed', '+3,4 %', '+3.4%'],
    ['-0.40', 'plain', '−0,40 %', '−0.40%'],
    ['-0.40', 'signed', '−0,40 %', '−0.40%'],
    ['0.0', 'signed', '0,0 %', '0.0%'],
    ['-0.0', 'plain', '0,0 %', '0.0%'],
    ['12345.6', 'signed', '+12.345,6 %', '+12,345.6%'],
    ['-1000', 'plain', '−1.000 %', '−1,000%'],
  ] as const)(
    'a percentage of %s, %s, has the sign that it needs, and its thousands grouped',
    (decimal, signs, spanish, english) => {
      expect(format.percent(decimal, signs)).toBe(en ? english : spanish);
    },
  );

  test('the day of a moment is the one it is in La Paz', () => {
    // 02:00 of the 24th in London, 22:00 of the 23rd in La Paz.
    expect(format.day('2026-11-24T02:00:00.000Z')).toBe(es ? 'lunes, 23 de noviembre' : 'Monday, November 23');
  });

  test('a moment is written by the clock of La Paz, and says so', () => {
    expect(format.moment('2026-11-24T02:05:00.000Z')).toBe(
      es ? '23 de noviembre a las 22:05 (hora de Bolivia)' : 'November 23 at 10:05 PM (Bolivia time)',
    );
  });

  test('documents and tables write days with their year, by the clock of La Paz', () => {
    const at = '2026-11-01T02:05:00.000Z';
    expect([format.fullMoment(at), format.shortDay(at), format.period('2026-11'), format.period('2026')]).toEqual(
      es
        ? ['31 de octubre de 2026 a las 22:05 (hora de Bolivia)', '31/10/2026', 'noviembre de 2026', '2026']
        : ['October 31, 2026 at 10:05 PM (Bolivia time)', 'Oct 31, 2026', 'November 2026', '2026'],
    );
  });
});

test('a figure stays on one line with its unit, and nothing else of a text does', () => {
  const kept = (text: string) => onOneLine(text).replaceAll('\u00a0', '_');
  expect(kept('hoy llegan Bs 1.912,14 por 150,00 EUR, un 1,04 % menos')).toBe(
    'hoy llegan Bs_1.912,14 por 150,00_EUR, un 1,04_% menos',
  );
  expect(kept('$ −0,40 and EUR 100.00 at 1 EUR = 13.38 BOB on day 5 of 12')).toBe(
    '$_−0,40 and EUR_100.00 at 1_EUR = 13.38_BOB on day 5 of 12',
  );
});
