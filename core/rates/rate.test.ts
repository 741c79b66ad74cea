import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chain, convert, convertBack, formatRate, maxRate, parseRate, type Rate, roundRate } from './rate.ts';

const million = 1_000_000n;
const anyRate = fc.bigInt(1n, maxRate).map((rate) => rate as Rate);
const minor = fc.bigInt(0n, 99_999_999n);

describe('formatRate and parseRate', () => {
  test('a rate that is formatted and parsed again is the same', () => {
    fc.assert(
      fc.property(anyRate, (rate) => {
        expect(parseRate(formatRate(rate))).toBe(rate);
      }),
    );
  });

  test('a rate is written with two to six decimals, without zeros beyond the second', () => {
    fc.assert(
      fc.property(anyRate, (rate) => {
        expect(formatRate(rate)).toMatch(/^(0|[1-9]\d*)\.\d{2}(\d{0,3}[1-9])?$/);
      }),
    );
  });

  test.each([
    ['11.60', 11_600_000n, '11.60'],
    ['11.6', 11_600_000n, '11.60'],
    ['12.765432', 12_765_432n, '12.765432'],
    ['12.100', 12_100_000n, '12.10'],
    ['0.000001', 1n, '0.000001'],
    ['1000', 1_000_000_000n, '1000.00'],
  ])('the rate %s is parsed and formatted', (text, rate, written) => {
    expect(parseRate(text)).toBe(rate);
    expect(formatRate(rate as Rate)).toBe(written);
  });

  test.each([
    '0',
    '0.00',
    '0.000000',
    '',
    '-11.6',
    '11,6',
    '1e1',
    '11.6000001',
    '1000.000001',
    '1160',
    '1234567',
    ' 11',
  ])('%j is no rate', (text) => {
    expect(parseRate(text)).toBeNull();
  });
});

describe('convert', () => {
  test('a conversion rounded down is never above the exact amount and less than one minor unit below it', () => {
    fc.assert(
      fc.property(minor, anyRate, (amount, rate) => {
        const converted = convert(amount, rate, 'down');
        expect(converted * million <= amount * rate).toBe(true);
        expect((converted + 1n) * million > amount * rate).toBe(true);
      }),
    );
  });

  test('a conversion rounded up is never below the exact amount and less than one minor unit above it', () => {
    fc.assert(
      fc.property(minor, anyRate, (amount, rate) => {
        const converted = convert(amount, rate, 'up');
        expect(converted * million >= amount * rate).toBe(true);
        expect(converted === 0n || (converted - 1n) * million < amount * rate).toBe(true);
      }),
    );
  });

  test('a conversion there and back, both rounded down, never makes money', () => {
    fc.assert(
      fc.property(minor, anyRate, (amount, rate) => {
        expect(convertBack(convert(amount, rate, 'down'), rate, 'down') <= amount).toBe(true);
      }),
    );
  });

  test('converting back rounded down is the most that costs no more than the target, rounded up the least that buys it', () => {
    fc.assert(
      fc.property(minor, anyRate, (target, rate) => {
        const most = convertBack(target, rate, 'down');
        expect(most * rate <= target * million && (most + 1n) * rate > target * million).toBe(true);
        const least = convertBack(target, rate, 'up');
        expect(convert(least, rate, 'down') >= target).toBe(true);
        expect(least === 0n || convert(least - 1n, rate, 'down') < target).toBe(true);
      }),
    );
  });

  test('a conversion never turns more money into less', () => {
    fc.assert(
      fc.property(minor, minor, anyRate, (a, b, rate) => {
        const [less, more] = a < b ? [a, b] : [b, a];
        expect(convert(less, rate, 'down') <= convert(more, rate, 'down')).toBe(true);
      }),
    );
  });
});

describe('chain', () => {
  test('a chain of rates is never above the exact product and within a millionth of it', () => {
    fc.assert(
      fc.property(anyRate, anyRate, (first, second) => {
        const chained = chain(first, second);
        expect(chained * million <= first * second).toBe(true);
        expect((chained + 1n) * million > first * second).toBe(true);
      }),
    );
  });

  test('a chain of rates never gives more than converting twice without intermediate rounding', () => {
    fc.assert(
      fc.property(minor, anyRate, anyRate, (amount, first, second) => {
        expect(convert(amount, chain(first, second), 'down') * million * million <= amount * first * second).toBe(true);
      }),
    );
  });

  test('a chain of the rates 1.10 and 11.60 gives 12.76', () => {
    expect(formatRate(chain(parseRate('1.10') as Rate, parseRate('11.60') as Rate))).toBe('12.76');
  });
});

test.each([
  ['11.1434', 2, '11.14'],
  ['11.145', 2, '11.15'],
  ['11.07', 4, '11.0700'],
  ['9.999', 2, '10.00'],
  ['13.382134', 6, '13.382134'],
])('the rate %s with %i decimals is %s', (rate, decimals, shown) => expect(roundRate(rate, decimals)).toBe(shown));
