import { describe, expect, it } from 'vitest';
import { readRateEntry } from './change-messages.ts';

describe('readRateEntry', () => {
  it.each(['13.38', '13,38', '13', 13.38, ' 13.4 '])('the rate entry %o is read', (entry) => {
    expect(readRateEntry(entry)).not.toBeNull();
  });

  it.each(['', '-', '.', 'abc', '-1', '0', '0.00', '13.385', '1e3', '1001'])(
    'the rate entry %o is refused',
    (entry) => {
      expect(readRateEntry(entry)).toBeNull();
    },
  );
});
