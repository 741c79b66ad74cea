import { expect, it } from 'vitest';
import { percentText } from './numbers.ts';

it.each([
  ['3.4', '3,4 %', '+3,4 %'],
  ['-1.2', '−1,2 %', '−1,2 %'],
  ['0.0', '0,0 %', '0,0 %'],
  ['-0.0', '0,0 %', '0,0 %'],
])('the percentage %s is written %s, and %s where its sign counts', (percent, plain, signed) => {
  expect([percentText(percent), percentText(percent, 'signed')]).toEqual([plain, signed]);
});
