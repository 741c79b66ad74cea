import fc from 'fast-check';
import { expect, it } from 'vitest';
import { referenceOf } from './reference.ts';

it('a reference of a transfer leads back to the start of its id', () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      const reference = referenceOf(id);
      expect(reference).toMatch(/^TR\d{15}$/);
      expect(BigInt(reference.slice(2)).toString(16).padStart(12, '0')).toBe(id.replaceAll('-', '').slice(0, 12));
    }),
  );
});
