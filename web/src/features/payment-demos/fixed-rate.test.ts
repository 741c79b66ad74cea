import { expect, it } from 'vitest';
import { exampleAt, fixed15, fixed696, fixed696WithFee } from './fixed-rate.ts';

it.each([
  ['6.96', fixed696, '100', '696.00'],
  ['6.96 with the fee', fixed696WithFee, '100', '671.64'],
  ['15', fixed15, '100', '1447.50'],
  ['15', fixed15, '0.01', '0.00'],
  ['15', fixed15, '', null],
  ['15', fixed15, '0', null],
])('the example at the fixed rate %s brings the bolivianos of that rate', (_name, fixed, amount, bolivianos) => {
  expect(exampleAt(fixed, amount, 'USD')).toBe(bolivianos);
});
