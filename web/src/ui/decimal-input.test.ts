import { expect, test } from 'vitest';
import { amountRule, readDecimal } from './decimal-input.tsx';

const rateRule = { kind: 'rate', wholeDigits: 3, decimals: 6 } as const;

test.each([
  ['100', '100'],
  ['9,99', '9.99'],
  ['9.99', '9.99'],
  ['1.000', '1000'],
  ['1,000', '1000'],
  ['2.500,50', '2500.50'],
  ['2,500.50', '2500.50'],
  ['100.000', '100000'],
  ['1 250,5', '1250.5'],
  ["1'250.50", '1250.50'],
  ['1.00', '1.00'],
  ['0,5', '0.5'],
  [',5', '0.5'],
  ['9.', '9'],
  ['007', '7'],
  ['$ 99.50', '99.50'],
  ['100 EUR', '100'],
  [' 250 ', '250'],
  ['', ''],
  [',', ''],
])('the amount "%s" is read as "%s"', (text, amount) => expect(readDecimal(text, amountRule)).toBe(amount));

test.each(['-50', '1e3', 'cien', '1.2.3', '9,999,9', '0.123', '1234567', '1.000.000', '1,2345'])(
  'the text "%s" is no amount that can be sent',
  (text) => expect(readDecimal(text, amountRule)).toBeNull(),
);

test.each([
  ['11.55', '11.55'],
  ['11,555', '11.555'],
  ['11.555', '11.555'],
  ['8,5 Bs', '8.5'],
])('the rate "%s" is read as "%s"', (text, rate) => expect(readDecimal(text, rateRule)).toBe(rate));

test('a rate has at most the whole digits of its rule', () => expect(readDecimal('1250', rateRule)).toBeNull());
