import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatAmount, formatBolivianos, formatRateLine } from './format.ts';
import { formatMinor } from './money.ts';

// Intl reads a decimal text exactly; it is the authority on how Bolivia writes numbers.
const bolivia = new Intl.NumberFormat('es-BO', { minimumFractionDigits: 2, maximumFractionDigits: 6 });

test('numbers are written as the locale es-BO writes them', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 14n), (minor) => {
      const decimal = formatMinor(minor);
      const written = bolivia.format(decimal as `${number}`);
      expect(formatBolivianos(decimal)).toBe(`Bs ${written}`);
      expect(formatAmount(decimal, 'USD')).toBe(`$ ${written}`);
      expect(formatAmount(decimal, 'EUR')).toBe(`${written} EUR`);
      expect(formatAmount(decimal, 'BOB')).toBe(`Bs ${written}`);
    }),
  );
});

describe('examples', () => {
  test.each([
    ['1291.40', 'BOB', 'Bs 1.291,40'],
    ['100.00', 'USD', '$ 100,00'],
    ['100.00', 'EUR', '100,00 EUR'],
    ['999.99', 'BOB', 'Bs 999,99'],
    ['1000000.05', 'BOB', 'Bs 1.000.000,05'],
    ['0.00', 'BOB', 'Bs 0,00'],
    ['-1234.50', 'BOB', 'Bs −1.234,50'],
    ['-123456.00', 'EUR', '−123.456,00 EUR'],
  ] as const)('the amount %s %s is written "%s"', (decimal, currency, written) => {
    expect(formatAmount(decimal, currency)).toBe(written);
  });

  test.each([
    ['13.38', 'EUR', '1 EUR = 13,38 Bs'],
    ['11.60', 'USD', '1 USD = 11,60 Bs'],
    ['12.765432', 'EUR', '1 EUR = 12,765432 Bs'],
  ] as const)('the rate %s of %s is written "%s"', (rate, currency, written) => {
    expect(formatRateLine(rate, currency)).toBe(written);
  });
});
