import { expect, it } from 'vitest';
import { exampleAt, fixed15, fixed696, fixed696WithFee } from './fixed-rate.ts';

it.each([
  [fixed696, '100', '696.00'],
  [fixed696WithFee, '100', '671.64'],
  [fixed15, '100', '1447.50'],
  [fixed15, '0.01', '0.00'],
  [fixed15, '', null],
  [fixed15, '0', null],
])('the example at %j of %j is %j', (fixed, amount, bolivianos) => {
  expect(exampleAt(fixed, amount, 'USD')).toBe(bolivianos);
});
