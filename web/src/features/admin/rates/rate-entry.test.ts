import { describe, expect, it } from 'vitest';
import { readRateEntry } from './rate-entry.ts';

describe('readRateEntry', () => {
  it.each(['13.38', '13,38', '13', 13.38, ' 13.4 '])('reads %o', (entry) => {
    expect(readRateEntry(entry)).not.toBeNull();
  });

  it.each(['', '-', '.', 'abc', '-1', '0', '0.00', '13.385', '1e3', '1001'])('refuses %o', (entry) => {
    expect(readRateEntry(entry)).toBeNull();
  });
});
