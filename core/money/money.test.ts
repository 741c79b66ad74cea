import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { divide, formatMinor, parseMinor } from './money.ts';

describe('the decimal text of an amount', () => {
  test('the decimal text of an amount is read back as the same minor units', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 99_999_999_999_999n), (minor) => {
        expect(parseMinor(formatMinor(minor))).toBe(minor);
      }),
    );
  });

  test('the decimal text of an amount has exactly two decimals and never an exponent', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 30n), 10n ** 30n), (minor) => {
        const text = formatMinor(minor);
        expect(text).toMatch(/^-?(0|[1-9]\d*)\.\d{2}$/);
        expect(BigInt(text.replace('.', ''))).toBe(minor);
      }),
    );
  });

  test.each([
    ['100', 10_000n],
    ['99.5', 9_950n],
    ['99.50', 9_950n],
    ['0', 0n],
    ['0.01', 1n],
    ['007.10', 710n],
    ['999999999999.99', 99_999_999_999_999n],
  ])('%s is %s minor units', (text, minor) => {
    expect(parseMinor(text)).toBe(minor);
  });

  test.each([
    ...['', ' ', '-1', '+1', '1.', '.5', '1.005', '1,50', '1.000,00', '1e3', '0x10', 'NaN', 'Infinity', ' 1', '1 '],
    ...['1\n', '1_000', '١', '1234567890123', '1.2.3', '$1', 'null'],
  ])('%j is no amount', (text) => {
    expect(parseMinor(text)).toBeNull();
  });

  test('text that is no amount is refused, never read as an amount near it', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789.,-+e ') }), (text) => {
        const minor = parseMinor(text);
        expect(minor !== null).toBe(/^[0-9]{1,12}(\.[0-9]{1,2})?$/.test(text));
        if (minor !== null) expect(Number(minor)).toBeCloseTo(Number(text) * 100, 0);
      }),
    );
  });
});

describe('divide', () => {
  const numerator = fc.bigInt(0n, 10n ** 30n);
  const divisor = fc.bigInt(1n, 10n ** 20n);

  test('dividing down gives the greatest integer not above the exact quotient, and up the least not below', () => {
    fc.assert(
      fc.property(numerator, divisor, (n, d) => {
        const down = divide(n, d, 'down');
        const up = divide(n, d, 'up');
        expect(down * d <= n && n < (down + 1n) * d).toBe(true);
        expect(up * d >= n && (up - 1n) * d < n).toBe(true);
        expect(up - down).toBe(n % d === 0n ? 0n : 1n);
      }),
    );
  });

  test.each([
    [-1n, 1n],
    [1n, 0n],
    [1n, -1n],
  ])('the division %s / %s is refused', (n, d) => {
    expect(() => divide(n, d, 'down')).toThrow(RangeError);
  });
});
