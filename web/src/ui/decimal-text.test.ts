import { expect, test } from 'vitest';
import { withDecimalComma } from './decimal-text.ts';

test.each([
  ['9.99', '9,99'],
  ['99.5', '99,5'],
  ['$ 99.50', '$ 99,50'],
  ['9,99', '9,99'],
  ['1.250', '1.250'],
  ['1.250,75', '1250,75'],
  ['1,250.75', '1250,75'],
  ['1.250.000', '1.250.000'],
  ['9.', '9.'],
  ['100', '100'],
  ['', ''],
])('the decimal %s is written %s', (text, written) => expect(withDecimalComma(text)).toBe(written));
