import { expect, test } from 'vitest';
import { bareDocument } from './tiers.ts';

test('one document is known however its number is written, and never taken for another one', () => {
  const written = ['AB 123.456', 'ab-123456', ' AB123456'];
  expect(new Set(written.map(bareDocument))).toEqual(new Set(['AB123456']));
  const others = ['123456', 'ÑB123456', 'АВ123456', 'СТ123456'];
  expect(new Set(['AB123456', ...others].map(bareDocument)).size).toBe(5);
});
