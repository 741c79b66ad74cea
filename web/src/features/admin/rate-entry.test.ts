import { describe, expect, it } from 'vitest';
import { parseRate, type Rate } from '#core/rate';
import { changeText, needsConfirmation, readRateEntry } from './rate-entry.ts';

const rate = (text: string) => parseRate(text) as Rate;

describe('readRateEntry', () => {
  it.each(['13.38', '13,38', '13', 13.38, ' 13.4 '])('reads %o', (entry) => {
    expect(readRateEntry(entry)).not.toBeNull();
  });

  it.each(['', '-', '.', 'abc', '-1', '0', '0.00', '13.385', '1e3', '1001'])('refuses %o', (entry) => {
    expect(readRateEntry(entry)).toBeNull();
  });
});

describe('needsConfirmation', () => {
  it('asks above five percent in either direction, not at exactly five', () => {
    expect(needsConfirmation(rate('10.00'), rate('10.50'))).toBe(false);
    expect(needsConfirmation(rate('10.00'), rate('10.51'))).toBe(true);
    expect(needsConfirmation(rate('10.00'), rate('9.50'))).toBe(false);
    expect(needsConfirmation(rate('10.00'), rate('9.49'))).toBe(true);
  });

  it('has nothing to compare a first rate with', () => {
    expect(needsConfirmation(null, rate('13.38'))).toBe(false);
  });
});

describe('changeText', () => {
  it('tells the direction and one decimal', () => {
    expect(changeText(rate('10.00'), rate('10.62'))).toBe('+6,2 %');
    expect(changeText(rate('13.38'), rate('1.34'))).toBe('−89,9 %');
    expect(changeText(rate('10.00'), rate('10.00'))).toBe('+0,0 %');
  });
});
