import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatBasisPoints, percentChange } from './percent.ts';

const positive = fc.bigInt({ min: 1n, max: 10n ** 12n });

describe('percentChange', () => {
  it.each([
    ['no change', 11_600_000n, 11_600_000n, '0.0', '0.0'],
    ['a rise', 12_741_200n, 13_380_000n, '5.0', '5.0'],
    ['a fall', 11_620_000n, 11_500_000n, '-1.0', '-1.0'],
    ['half a tenth up', 100_000_000n, 100_050_000n, '0.1', '0.0'],
    ['half a tenth down', 100_000_000n, 99_950_000n, '-0.1', '0.0'],
    ['less than half a tenth', 100_000_000n, 99_960_000n, '0.0', '0.0'],
    ['a fall to nothing', 500n, 0n, '-100.0', '-100.0'],
  ])(
    'the percent change of %s is written with one decimal, rounded to the nearest tenth or towards zero',
    (_name, from, to, nearest, down) => {
      expect(percentChange(from, to, 'nearest')).toBe(nearest);
      expect(percentChange(from, to, 'towards_zero')).toBe(down);
    },
  );

  it('a percent change rounded to the nearest is never further than half a tenth from the exact value', () => {
    fc.assert(
      fc.property(positive, positive, (from, to) => {
        const error = (to - from) * 1000n - tenthsOf(percentChange(from, to, 'nearest')) * from;
        expect((error < 0n ? -error : error) * 2n <= from).toBe(true);
      }),
    );
  });

  it('a percent change rounded towards zero never promises more than the exact value', () => {
    fc.assert(
      fc.property(positive, positive, (from, to) => {
        const tenths = tenthsOf(percentChange(from, to, 'towards_zero'));
        expect(tenths).toBe(((to - from) * 1000n) / from);
      }),
    );
  });
});

it('basis points are written as percent with two decimals', () => {
  expect([350n, 7n, -104n, 0n].map(formatBasisPoints)).toEqual(['3.50', '0.07', '-1.04', '0.00']);
});

function tenthsOf(percent: string): bigint {
  expect(percent).toMatch(/^-?\d+\.\d$/);
  return BigInt(percent.replace('.', ''));
}
