import { expect, test } from 'vitest';
import { bareDocument } from './tiers.ts';

test('one document is known however its number is written, and never taken for another one', () => {
  const written = ['AB 123.456', 'ab-123456', ' AB123456'];
  expect(new Set(written.map(bareDocument))).toEqual(new Set(['AB123456']));
  const others = ['123456', 'ÑB123456', 'СТ123456'];
  expect(new Set(['AB123456', ...others].map(bareDocument)).size).toBe(4);
});

test('a document is the same in whatever letters that look alike its number is written', () => {
  const forms = ['B53140140', 'b-5314.0140', 'Ｂ５３１４０１４０', 'В53140140', 'Β53140140'];
  expect(new Set(forms.map(bareDocument))).toEqual(new Set(['B53140140']));
  expect(bareDocument('Ж123456')).toBe('Ж123456');
});
