import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMinor, maxMinor } from '../../money/money.ts';
import {
  adminRateInput,
  amountInput,
  amountText,
  currencyInput,
  pageQuery,
  rateText,
  shownRateInput,
} from './values.ts';

describe('an amount sent in', () => {
  test('an amount sent as text or as a JSON number becomes the same minor units', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, maxMinor), (minor) => {
        const text = formatMinor(minor);
        expect(amountInput.parse(text)).toBe(minor);
        expect(amountInput.parse(JSON.parse(text))).toBe(minor);
        expect(amountInput.parse(` ${text} `)).toBe(minor);
        expect(amountText.parse(text)).toBe(text);
      }),
    );
  });

  test.each([
    ...['', '0', '0.00', '-10', '10.005', '1e3', '10,00', 'NaN', 'Infinity', '1000000.00', '9'.repeat(400), '1 0'],
    ...[0, -0, -10, 10.005, 0.1 + 0.2, 1e21, 1e-7, 1_000_000, Number.NaN, Number.POSITIVE_INFINITY],
    ...[null, undefined, true, [], [100], {}, 100n],
  ])('the amount %s is refused in Spanish', (value) => {
    expect(amountInput.safeParse(value).error?.issues[0]?.message).toBe(
      'Escribe un monto válido, por ejemplo 100 o 99.50',
    );
  });

  test('an amount of 999,999.99 is the most Stripe takes', () => {
    expect(amountInput.parse('999999.99')).toBe(99_999_999n);
  });
});

describe('a rate', () => {
  test.each([
    ['11.60', 11_600_000n],
    [11.6, 11_600_000n],
    ['7', 7_000_000n],
    ['1000', 1_000_000_000n],
  ])('a rate of %s may be set by an admin', (value, rate) => {
    expect(adminRateInput.parse(value)).toBe(rate);
  });

  test.each(['11.605', 11.605, '0', 0, '-1', -1, '1e1', '', ' ', '1001', null, undefined, {}, [11]])(
    'a rate of %j set by an admin is refused',
    (value) => {
      expect(adminRateInput.safeParse(value).error?.issues[0]?.message).toBe(
        'Escribe una tasa mayor que cero, con dos decimales como máximo',
      );
    },
  );

  test('a rate shown earlier may have six decimals', () => {
    expect(shownRateInput.parse('12.765432')).toBe(12_765_432n);
    expect(shownRateInput.parse(12.765432)).toBe(12_765_432n);
    expect(shownRateInput.safeParse('12.7654321').success).toBe(false);
    expect(rateText.safeParse('12.765432').success).toBe(true);
    expect(rateText.safeParse('12.7').success).toBe(false);
  });
});

test.each([
  ['eur', 'EUR'],
  ['USD', 'USD'],
  ['Usd', 'USD'],
])('currency %s is %s', (text, currency) => {
  expect(currencyInput.parse(text)).toBe(currency);
});

test.each(['bob', 'UſD', '', 'US', ' usd', 'toString', null, undefined, 1, {}])('%j is no currency', (value) => {
  expect(currencyInput.safeParse(value).error?.issues[0]?.message).toBe('Elige USD o EUR');
});

describe('a page', () => {
  test('a page has 20 items by default and at most 100', () => {
    expect(pageQuery.parse({})).toEqual({ limit: 20 });
    expect(pageQuery.parse({ limit: '100', cursor: 'x' })).toEqual({ limit: 100, cursor: 'x' });
  });

  test.each(['0', '101', '-1', '1.5', 'x', '', '1e9', 'NaN'])('a page of %j items is refused', (limit) => {
    expect(pageQuery.safeParse({ limit }).success).toBe(false);
  });

  test('a page is refused with a cursor that is no text or too long', () => {
    for (const cursor of [['a', 'b'], { a: 1 }, 'x'.repeat(201)]) {
      expect(pageQuery.safeParse({ cursor }).success).toBe(false);
    }
  });
});
