import { expect, test } from 'vitest';
import { readRejection, rejectionCodes, rejectionReason } from './rejection.ts';

test.each(rejectionCodes)('the reason stored for %s is read back with its note', (code) => {
  expect(readRejection(rejectionReason(code, undefined) ?? '')).toEqual({ code, note: null });
  const note = 'Llama a tu banco. 2 veces.';
  expect(readRejection(rejectionReason(code, note) ?? '')).toEqual({ code, note });
});

test('a reason that a person wrote alone has no code, and nothing written is no reason', () => {
  expect(readRejection(rejectionReason(undefined, 'No podemos.') ?? '')).toBeNull();
  expect(rejectionReason(undefined, undefined)).toBeNull();
  expect(rejectionReason(undefined, '')).toBeNull();
});
